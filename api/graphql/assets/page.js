// Starts the page: queries go to this very address; put {"Authorization": "Bearer theo_..."} under Headers.
"use strict";
const address = location.pathname;

// graphql-transport-ws, as little as one subscription needs: the token of Headers goes into connection_init.
function watched(operation, headers) {
  const scheme = location.protocol === "https:" ? "wss://" : "ws://";
  return {
    subscribe(observer) {
      const socket = new WebSocket(scheme + location.host + address, "graphql-transport-ws");
      const send = (message) => socket.send(JSON.stringify(message));
      socket.onopen = () => send({ type: "connection_init", payload: headers || {} });
      socket.onclose = (event) => {
        if (event.code !== 1000) observer.error(new Error(`closed (${event.code}) ${event.reason}`));
      };
      socket.onmessage = (event) => {
        const message = JSON.parse(event.data);
        if (message.type === "connection_ack") send({ id: "1", type: "subscribe", payload: operation });
        if (message.type === "ping") send({ type: "pong" });
        if (message.type === "next") observer.next(message.payload);
        if (message.type === "error") observer.error(message.payload);
        if (message.type === "complete") observer.complete();
      };
      return { unsubscribe: () => socket.close(1000) };
    },
  };
}

// The headers as they are sent: an Authorization that still lacks its token is left out.
function meant(headers) {
  return Object.fromEntries(Object.entries(headers || {}).filter(([, value]) => !/^Bearer\s*$/.test(value)));
}

async function fetcher(operation, options) {
  const headers = meant(options && options.headers);
  if (/^\s*subscription\b/m.test(operation.query)) {
    const queue = [];
    let wake = () => {};
    const put = (item) => { queue.push(item); wake(); };
    const held = watched(operation, headers).subscribe({
      next: (value) => put({ value }),
      error: (error) => put({ error }),
      complete: () => put({ done: true }),
    });
    return (async function* () {
      try {
        for (;;) {
          while (queue.length === 0) await new Promise((resolve) => { wake = resolve; });
          const item = queue.shift();
          if (item.error) throw item.error;
          if (item.done) return;
          yield item.value;
        }
      } finally {
        held.unsubscribe();
      }
    })();
  }
  const answer = await fetch(address, {
    method: "POST",
    credentials: "omit",
    headers: { "Content-Type": "application/json", Accept: "application/json", ...headers },
    body: JSON.stringify(operation),
  });
  return answer.json();
}

const root = ReactDOM.createRoot(document.getElementById("graphiql"));
root.render(React.createElement(GraphiQL, {
  fetcher,
  defaultEditorToolsVisibility: "headers",
  shouldPersistHeaders: false,
  defaultQuery: "{\n  me { username scopes }\n  games { edges { node { id name ruleset status } } }\n}\n",
  defaultHeaders: '{\n  "Authorization": "Bearer "\n}\n',
}));
