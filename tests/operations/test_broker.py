"""The broker of the single machine: a message that is being written is no message yet."""

import threading
from pathlib import Path
from types import SimpleNamespace

import pytest
from kombu import Connection

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


def test_what_a_worker_holds_ends_no_worker_whose_redis_is_gone():
    channel = SimpleNamespace(connection=SimpleNamespace(client=None), do_restore=True)
    held = redis_broker.QoS(channel)
    held._delivered["tag"] = object()
    held.restore_unacked_once()
    held.restore_unacked_once()
    assert held._delivered


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
