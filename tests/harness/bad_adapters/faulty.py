"""An adapter that does one wrong thing, well: at its start by its argument, at a case by the member ``fault``.

Its operation ``test.echo`` answers with the member ``n`` of the input.
"""

import contextlib
import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any, NoReturn

Request = Mapping[str, Any]
HANDSHAKE: dict[str, Any] = {
    "protocol": 1,
    "implementation": {"name": "faulty", "version": "0", "language": "Python", "runtime": "any"},
    "operations": ["test.echo", "test.look", "test.touch"],
}


def write(data: bytes) -> None:
    sys.stdout.buffer.write(data)
    sys.stdout.buffer.flush()


def write_json(value: object) -> None:
    write(json.dumps(value, ensure_ascii=False).encode() + b"\n")


def right(request: Request) -> dict[str, Any]:
    return {"id": request["id"], "ok": {"n": request["input"].get("n")}}


def die(status: int) -> NoReturn:
    sys.stdout.flush()
    os._exit(status)


def hang(_request: Request) -> None:
    time.sleep(3600)


def crash(_request: Request) -> None:
    print("about to crash", file=sys.stderr, flush=True)
    die(3)


def killed(_request: Request) -> None:
    os.kill(os.getpid(), signal.SIGKILL)


def noise(request: Request) -> None:
    write(b"debug: entering decode\n")
    write_json(right(request))


def half_line(request: Request) -> None:
    write(json.dumps(right(request)).encode()[:10])
    die(0)


def half_line_hang(request: Request) -> None:
    write(json.dumps(right(request)).encode()[:10])
    hang(request)


def cut_large(request: Request) -> None:
    """What Node leaves of a large answer when process.exit is called before the pipe took it."""
    large = json.dumps({"id": request["id"], "ok": {"n": "x" * 1_000_000}}).encode()
    write(large[: 64 * 1024])
    die(0)


def not_utf8(request: Request) -> None:
    write(json.dumps(right(request) | {"x": "@"}).encode().replace(b"@", b"\xff") + b"\n")


def huge(request: Request) -> None:
    write(b'{"id":' + json.dumps(request["id"]).encode() + b',"ok":{"n":"')
    for _ in range(100):
        write(b"x" * (1024 * 1024))
    write(b'"}}\n')


def line(make: Callable[[Request], object]) -> Callable[[Request], None]:
    return lambda request: write_json(make(request))


def raw(make: Callable[[str], str]) -> Callable[[Request], None]:
    return lambda request: write(make(json.dumps(request["id"])).encode() + b"\n")


def close_stdin(_request: Request) -> None:
    os.close(0)
    time.sleep(3600)


def close_stdout(_request: Request) -> None:
    os.close(1)
    time.sleep(3600)


def grandchild(request: Request) -> None:
    """Die, leaving a child behind that holds all three pipes open."""
    sleeper = "import time; time.sleep(3600)"
    child = subprocess.Popen([sys.executable, "-c", sleeper])
    leave_pid(request, child.pid)
    die(5)


def escaped(request: Request) -> None:
    """The same, with the child in a session of its own."""
    sleeper = "import time; time.sleep(3600)"
    child = subprocess.Popen([sys.executable, "-c", sleeper], start_new_session=True)
    leave_pid(request, child.pid)
    die(5)


def leave_pid(request: Request, pid: int) -> None:
    Path(request["input"]["pid_file"]).write_text(str(pid))


def stderr_flood(request: Request) -> None:
    os.write(2, b"first words\n")
    for _ in range(4096):
        os.write(2, b"w" * 1023 + b"\n")
    os.write(2, b"last words\n")
    write_json(right(request))


def stderr_flood_crash(_request: Request) -> None:
    os.write(2, b"w" * 60_000 + b"\nlast words\n")
    die(3)


def noise_after(request: Request) -> None:
    write(json.dumps(right(request)).encode() + b"\ndone!\n")


def die_after(request: Request) -> None:
    write_json(right(request))
    die(4)


FAULTS: dict[str, Callable[[Request], None]] = {
    "hang": hang,
    "crash": crash,
    "killed": killed,
    "noise": noise,
    "half-line": half_line,
    "half-line-hang": half_line_hang,
    "cut-large": cut_large,
    "not-utf8": not_utf8,
    "huge": huge,
    "close-stdin": close_stdin,
    "close-stdout": close_stdout,
    "grandchild": grandchild,
    "escaped": escaped,
    "stderr-flood": stderr_flood,
    "stderr-flood-crash": stderr_flood_crash,
    "noise-after": noise_after,
    "die-after": die_after,
    "line-separator": line(lambda request: {"id": request["id"], "ok": {"n": "a\u2028b\u2029c\u0085d"}}),
    "error": line(lambda request: {"id": request["id"], "error": {"message": "my own fault"}}),
    "wrong-id": line(lambda request: right(request) | {"id": "no such"}),
    "number-id": line(lambda request: right(request) | {"id": int(request["id"])}),
    "no-id": line(lambda _request: {"ok": {"n": 1}}),
    "nothing": line(lambda request: {"id": request["id"]}),
    "ok-and-reject": line(lambda request: right(request) | {"reject": {"reason": "x"}}),
    "extra-member": line(lambda request: right(request) | {"time": 3}),
    "ok-null": line(lambda request: {"id": request["id"], "ok": None}),
    "reject-no-reason": line(lambda request: {"id": request["id"], "reject": {"at": "x"}}),
    "reject-null-at": line(lambda request: {"id": request["id"], "reject": {"reason": "x", "at": None}}),
    "error-text": line(lambda request: {"id": request["id"], "error": "text"}),
    "array": line(lambda _request: []),
    "blank": raw(lambda _number: ""),
    "crlf": raw(lambda number: f'{{"id":{number},"ok":{{}}}}\r'),
    "bom": raw(lambda number: f'\ufeff{{"id":{number},"ok":{{}}}}'),
    "two-values": raw(lambda number: f'{{"id":{number},"ok":{{}}}} {{}}'),
    "nan": raw(lambda number: f'{{"id":{number},"ok":{{"n":NaN}}}}'),
    "infinity": raw(lambda number: f'{{"id":{number},"ok":{{"n":-Infinity}}}}'),
    "repeated": raw(lambda number: f'{{"id":{number},"ok":{{"n":1,"n":1}}}}'),
    "surrogate": raw(lambda number: f'{{"id":{number},"ok":{{"n":"\\ud800"}}}}'),
    "deep": raw(lambda number: f'{{"id":{number},"ok":{{"n":{"[" * 100_000}{"]" * 100_000}}}}}'),
    "digits": raw(lambda number: f'{{"id":{number},"ok":{{"n":{"9" * 100_000}}}}}'),
}


def look(request: Request) -> None:
    """Answer with the paths as they arrived and what stands in the directory."""
    members = request["input"]
    ok: dict[str, Any] = {key: value for key, value in members.items() if key != "data"}
    if "directory" in members:
        ok["names"] = sorted(os.listdir(members["directory"]))  # noqa: PTH208
    if isinstance(members.get("data"), dict):
        ok["length"] = Path(members["data"]["path"]).stat().st_size
    write_json({"id": request["id"], "ok": ok})


def touch(request: Request) -> None:
    """Change the tree as the input says, so that putting the same case twice would show."""
    members = request["input"]
    with Path(members["path"]).open("ab") as file:
        file.write(b"touched")
    if members.get("fault") == "crash":
        die(3)
    if members.get("fault") == "lock":
        Path(members["path"]).parent.chmod(0)
    if members.get("fault") == "outside":
        Path(members["path"], "..", "..", "stray").resolve().write_bytes(b"out")
    write_json({"id": request["id"], "ok": {}})


def serve(at_start: str) -> None:
    first_run = True
    for data in sys.stdin.buffer:
        request = json.loads(data)
        if request["cmd"] == "start":
            write_json(HANDSHAKE)
            if at_start == "banner-after":
                write(b"ready\n")
        elif request["cmd"] == "stop":
            stop(at_start)
        elif at_start == "exit-at-second" and not first_run:
            die(7)
        else:
            first_run = False
            members = request["input"]
            if request["op"] == "test.look":
                look(request)
            elif request["op"] == "test.touch":
                touch(request)
            else:
                FAULTS.get(members.get("fault"), line(right))(request)


def stop(at_start: str) -> None:
    if at_start == "stop-3":
        die(3)
    if at_start == "stop-hang":
        time.sleep(3600)
    if at_start == "stop-noise":
        write(b"bye\n")
    if at_start == "stop-flood":
        for _ in range(64):
            write(b"x" * (1024 * 1024))
    die(0)


def read_ahead() -> None:
    """Take in whatever is there before answering; crash on reading a bad request, good ones unanswered."""
    buffered = b""
    while True:
        chunk = os.read(0, 1 << 20)
        if not chunk:
            die(0)
        buffered += chunk
        *lines, buffered = buffered.split(b"\n")
        requests = [json.loads(data) for data in lines]
        if any(request.get("input", {}).get("fault") for request in requests):
            die(9)
        for request in requests:
            if request["cmd"] == "stop":
                die(0)
            write_json(HANDSHAKE if request["cmd"] == "start" else right(request))


def start_count(folder: Path) -> int:
    """Count the starts in ``folder``, so that a second start can differ from the first."""
    with (folder / "starts").open("ab") as file:
        file.write(b"x")
    return (folder / "starts").stat().st_size


def exit_at_once() -> None:
    print("no library found", file=sys.stderr, flush=True)
    die(2)


def refuse() -> None:
    write_json({"error": {"message": "only protocol 7 here"}})
    die(1)


def closed_stdin() -> None:
    os.close(0)
    time.sleep(3600)


STARTS: dict[str, Callable[[], object]] = {
    "exit": exit_at_once,
    "refuse": refuse,
    "silent": lambda: time.sleep(3600),
    "banner": lambda: write(b"welcome\n"),
    "protocol-2": lambda: write_json(HANDSHAKE | {"protocol": 2}),
    "protocol-true": lambda: write_json(HANDSHAKE | {"protocol": True}),
    "no-operations": lambda: write_json({key: value for key, value in HANDSHAKE.items() if key != "operations"}),
    "closed-stdin": closed_stdin,
    "read-ahead": read_ahead,
}


def main(at_start: str = "", folder: str = "") -> None:
    starts = start_count(Path(folder)) if folder else 1
    if at_start == "no-second-start" and starts > 1:
        die(2)
    if at_start == "changes-handshake" and starts > 1:
        HANDSHAKE["operations"] = ["test.echo"]
    STARTS.get(at_start, lambda: None)()
    serve(at_start)


if __name__ == "__main__":
    with contextlib.suppress(BrokenPipeError):
        main(*sys.argv[1:])
