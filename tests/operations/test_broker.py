"""The broker of the single machine: a message that is being written is no message yet."""

import threading
from pathlib import Path
from types import SimpleNamespace
from unittest.mock import Mock

import pytest
from kombu import Connection, Message

from config import broker, redis_broker
from config.celery import app


@pytest.fixture
def connection(tmp_path):
    broker.register()
    folders = {name: str(tmp_path) for name in ("data_folder_in", "data_folder_out", "control_folder")}
    (tmp_path / "taken").mkdir()
    more = {"store_processed": True, "processed_folder": str(tmp_path / "taken")}
    with Connection("filesystem://", transport_options=folders | more) as made:
        yield made


def test_the_service_talks_through_this_transport(connection):
    assert isinstance(connection.transport, broker.Transport)
    assert app.connection_for_write("filesystem://").get_transport_cls() is broker.Transport


def test_on_redis_too():
    made = app.connection_for_write("redis://localhost:1/0")
    assert made.get_transport_cls() is redis_broker.Transport
    assert app.connection_for_write("rediss://localhost:1/0").get_transport_cls() is redis_broker.Transport


def lost_channel(connection):
    """A channel as Kombu leaves it once Redis is gone: it has no pool, and no connection or one that is closed."""
    channel = object.__new__(redis_broker.Channel)
    channel.__dict__.update(connection=connection, do_restore=True, no_ack_consumers=None, closed=True)
    return channel


LOST = [None, SimpleNamespace(client=None)]


@pytest.mark.parametrize("connection", LOST)
def test_what_a_worker_holds_ends_no_worker_whose_redis_is_gone(connection):
    held = redis_broker.QoS(lost_channel(connection))
    held._delivered["tag"] = object()
    held.restore_unacked_once()
    held.restore_unacked_once()
    assert held._delivered


@pytest.mark.parametrize("connection", LOST)
@pytest.mark.parametrize(("answer", "how"), [("ack", {}), ("reject", {}), ("reject", {"requeue": True})])
def test_who_is_done_with_a_message_after_redis_has_gone_ends_no_worker(connection, answer, how):
    """The kind: whatever a worker says about a message over a channel that was closed meanwhile."""
    channel, log = lost_channel(connection), SimpleNamespace(critical=Mock())
    channel._qos = redis_broker.QoS(channel)
    message = Message(body=b"", channel=channel, delivery_tag="tag")
    getattr(message, f"{answer}_log_error")(log, redis_broker.Transport.connection_errors, **how)
    assert log.critical.call_count == 1 and not message.acknowledged


def test_a_message_half_written_is_not_taken_and_a_whole_one_is(connection, tmp_path, monkeypatch):
    queue = connection.SimpleQueue("ticks")
    halfway, goes_on = threading.Event(), threading.Event()
    write = Path.write_bytes

    def slowly(path, data):
        write(path, data[: len(data) // 2])
        halfway.set()
        assert goes_on.wait(240)
        return write(path, data)

    monkeypatch.setattr(Path, "write_bytes", slowly)
    writer = threading.Thread(target=queue.put, args=({"tick": 1},))
    writer.start()
    assert halfway.wait(240)
    with pytest.raises(queue.Empty):
        queue.get_nowait()
    goes_on.set()
    writer.join(240)
    assert queue.get_nowait().payload == {"tick": 1}
    assert [path.name for path in tmp_path.glob("*.part")] == []
