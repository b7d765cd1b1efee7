"""`carl studio` as an attacker tries it: a page from elsewhere, another user of the machine, or a
browser that sends nonsense. CARL_STUDIO_SECONDS makes the storm of requests longer than a few
seconds."""

import json
import os
import random
import re
import socket
import subprocess
import sys
import tempfile
import threading
import time
import unittest

sys.path.insert(0, os.path.dirname(__file__))
from server import Studio  # noqa: E402

EXAMPLES = os.path.join(os.environ["CARL_SOURCE"], "examples")
WORK = [f"{EXAMPLES}/getting-to-work/{name}.pddl" for name in ("domain", "problem")]
STORM = float(os.environ.get("CARL_STUDIO_SECONDS", "4"))
MEGABYTE = 1_000_000 * float(os.environ.get("CARL_STUDIO_ROOM", "1"))


def write_long_model(path):
    """Takes longer than any test."""
    subprocess.run([os.environ["CARL"], "generate", "elevators", "-p", "e=2", "-p", "w=3", "-p",
                    "h=3", "-o", path], check=True)


class Attacks(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.studio = Studio(*WORK)

    @classmethod
    def tearDownClass(cls):
        assert cls.studio.stop() == 0

    def test_the_page_is_served_with_a_strict_policy(self):
        status, headers, body = self.studio.request("GET", "")
        self.assertEqual(status, 200)
        self.assertIn(b"<!DOCTYPE html>", body)
        policy = headers["Content-Security-Policy"]
        self.assertIn("default-src 'none'", policy)
        self.assertIn("frame-ancestors 'none'", policy)
        self.assertNotIn("unsafe", policy)
        self.assertNotRegex(policy, r"https?:")
        self.assertEqual(headers["X-Content-Type-Options"], "nosniff")
        self.assertEqual(headers["Referrer-Policy"], "no-referrer")
        self.assertEqual(headers["Cache-Control"], "no-store")
        self.assertNotIn("Access-Control-Allow-Origin", headers)

    def test_a_wrong_token_gets_nothing(self):
        right = self.studio.token
        wrong = ["", "0" * 32, right[:-1], right + "0", right.upper() + "x", right[:-1] + "g",
                 "%2e%2e", "x" * 5000]
        for token in wrong:
            for method, path in (("GET", ""), ("GET", "api/hello"), ("POST", "api/solve")):
                status, headers, body = self.studio.request(method, path, "{}", token=token)
                self.assertIn(status, (403, 414), token)
                self.assertLess(len(body), 20)
                self.assertNotIn("Access-Control-Allow-Origin", headers)

    def test_a_wrong_host_is_refused(self):
        port = self.studio.port
        for host in ("evil.example", f"evil.example:{port}", "127.0.0.1", f"127.0.0.1:{port + 1}",
                     f"127.0.0.1:{port}.evil.example", f"[::1]:{port}", "", f"0.0.0.0:{port}"):
            status, _, _ = self.studio.request("GET", "api/hello", headers={"Host": host})
            self.assertIn(status, (400, 403), host)
        status, _, _ = self.studio.request("GET", "api/hello", headers={"Host": f"localhost:{port}"})
        self.assertEqual(status, 200)
        token = self.studio.token
        for head in (f"GET /{token}/ HTTP/1.1\r\n\r\n",
                     f"GET /{token}/ HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\nHost: evil\r\n\r\n"):
            self.assertRegex(self.studio.raw(head.encode()), rb"^(HTTP/1.1 40[03]|$)")

    def test_another_origin_is_refused(self):
        port = self.studio.port
        own = f"http://127.0.0.1:{port}"
        for origin in ("http://evil.example", "null", "https://127.0.0.1:" + str(port),
                       own + ".evil.example", own + "/", f"http://127.0.0.1:{port + 1}"):
            status, headers, _ = self.studio.request("POST", "api/solve", "{}",
                                                     {"Origin": origin})
            self.assertEqual(status, 403, origin)
            self.assertNotIn("Access-Control-Allow-Origin", headers)
        for site in ("cross-site", "same-site"):
            status, _, _ = self.studio.request("GET", "", headers={"Sec-Fetch-Site": site})
            self.assertEqual(status, 403)
        status, _, _ = self.studio.request("GET", "api/hello", headers={"Origin": own})
        self.assertEqual(status, 200)
        # A preflight is not answered with leave.
        status, headers, _ = self.studio.request(
            "OPTIONS", "api/solve", headers={"Origin": "http://evil.example",
                                             "Access-Control-Request-Method": "POST"})
        self.assertEqual(status, 403)
        self.assertNotIn("Access-Control-Allow-Methods", headers)

    def test_forms_and_other_methods_are_refused(self):
        for kind in ("text/plain", "application/x-www-form-urlencoded", "multipart/form-data", ""):
            status, _, _ = self.studio.request("POST", "api/solve", "{}", {"Content-Type": kind})
            self.assertEqual(status, 415, kind)
        for method in ("PUT", "DELETE", "PATCH", "OPTIONS", "HEAD"):
            status, _, _ = self.studio.request(method, "api/solve")
            self.assertEqual(status, 405, method)

    def test_it_listens_on_the_loopback_address_only(self):
        others = ["127.0.0.2"]
        with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
            try:
                probe.connect(("192.0.2.1", 9))  # sends nothing
                others.append(probe.getsockname()[0])
            except OSError:
                pass
        for address in others:
            if address == "127.0.0.1":
                continue
            with self.assertRaises(OSError, msg=address):
                socket.create_connection((address, self.studio.port), timeout=5).close()

    def test_files_cannot_be_reached(self):
        for path in ("../etc/passwd", "..%2f..%2fetc/passwd", "%2e%2e/%2e%2e/etc/passwd",
                     "/etc/passwd", "api/../../../etc/passwd", "api/hello/..", "index.html",
                     "web/dist/studio.html", "examples/getting-to-work/domain.pddl", "\\..\\x"):
            status, _, body = self.studio.request("GET", path)
            self.assertEqual(status, 404, path)
            self.assertNotIn(b"root:", body)
        # Nor by names of files in a question: they are names, and nothing is read.
        for name in ("/etc/passwd", "../../etc/passwd", "-"):
            events = self.studio.ask("open", files=[{"name": name, "text": "(define"}])
            self.assertEqual(events[-1][0], "error")
            self.assertNotIn("root:", json.dumps(events))
        for example in ("/etc/passwd", "../README.md", ""):
            self.assertEqual(self.studio.ask("open", example=example)[-1][0], "error")

    def test_large_bodies_are_refused(self):
        try:
            status, _, _ = self.studio.request("POST", "api/solve", b" " * 9_000_000)
            self.assertEqual(status, 413)
        except (BrokenPipeError, ConnectionResetError):
            pass  # it was refused, and hung up, before all of it was sent
        self.assertEqual(self.studio.request("GET", "")[0], 200)
        token, port = self.studio.token, self.studio.port
        head = f"POST /{token}/api/solve HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\n"
        head += "Content-Type: application/json\r\n"
        before = self.studio.memory()
        # A length that is a lie, chunks without end, headers without end.
        self.studio.raw((head + "Content-Length: 99999999999999\r\n\r\n{}").encode(), 60)
        chunk = b"100000\r\n" + b" " * 0x100000 + b"\r\n"
        self.studio.raw((head + "Transfer-Encoding: chunked\r\n\r\n").encode() + chunk * 40)
        self.studio.raw(head.encode() + b"X-Much: of nothing\r\n" * 500_000)
        self.studio.raw(b"GET /" + b"a" * 5_000_000)
        self.assertLess(self.studio.memory() - before, 100 * MEGABYTE)
        # What grows when it is unpacked, and a thousand parts of an answer.
        for headers in ({"Content-Encoding": "gzip"}, {"Content-Encoding": "br"}):
            status, _, _ = self.studio.request("POST", "api/solve", b"\x1f\x8b", headers)
            self.assertEqual(status, 400)
        ranges = "bytes=" + ",".join("0-" for _ in range(1000))
        self.assertEqual(self.studio.request("GET", "", headers={"Range": ranges})[0], 400)

    def test_without_the_token_no_body_is_read(self):
        port = self.studio.port
        head = (f"POST /{'0' * 32}/api/solve HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\n"
                "Content-Type: application/json\r\nContent-Length: 7000000\r\n\r\n")
        with socket.create_connection(("127.0.0.1", port), timeout=20) as connection:
            connection.sendall(head.encode())  # and no body
            self.assertTrue(connection.recv(100).startswith(b"HTTP/1.1 403"))

    def test_nonsense_is_answered_with_an_error(self):
        for body in ("", "[]", "null", "1", "{", "[" * 100_000, '{"a":' * 50_000, "\xff", "NaN"):
            status, _, _ = self.studio.request("POST", "api/solve", body.encode("latin-1"))
            self.assertEqual(status, 400, body[:20])
        questions = [
            ("solve", {}), ("solve", {"model": 1}), ("solve", {"model": "m999"}),
            ("solve", {"model": "m1", "bounds": []}),
            ("solve", {"model": "m1", "bounds": {"time": 1}}),
            ("solve", {"model": "m1", "bounds": {"nothing": 1}}),
            ("solve", {"model": "m1", "bounds": {"price": -1}}),
            ("solve", {"model": "m1", "bounds": {"price": "x"}}),
            ("solve", {"model": "m1", "policy": "x"}),
            ("sweep", {"model": "m1", "cost": "price", "from": 5, "to": 1}),
            ("sweep", {"model": "m1", "cost": "none", "from": 0, "to": 1}),
            ("sweep", {"model": "m1", "cost": "price", "from": 0}),
            ("simulate", {"model": "m1", "runs": -1}), ("simulate", {"model": "m1", "runs": "x"}),
            ("trace", {"model": "m1"}), ("explain", {"model": "m1", "states": []}),
            ("explain", {"model": "m1", "states": ["nowhere"]}),
            ("explain", {"model": "m1", "states": [1]}),
            ("open", {}), ("open", {"files": []}), ("open", {"files": [1]}),
            ("open", {"files": [{"name": "", "text": ""}]}),
            ("open", {"files": [{"name": "x" * 300, "text": ""}]}),
            ("open", {"example": 3}), ("open", {"example": "none"}),
        ]
        for what, question in questions:
            events = self.studio.ask(what, **question)
            self.assertEqual(events[-1][0], "error", (what, question))
            self.assertTrue(events[-1][1]["message"])
            wanted = "" if what in ("sweep", "explain") else "the question is not understood:"
            if question.get("model") == "m999":
                wanted = "this model is no longer open"
            self.assertIn(wanted, events[-1][1]["message"] or "-", (what, question))
        self.assertEqual(self.studio.request("POST", "api/nothing", "{}")[0], 404)
        # There is nothing to execute or to explain where no policy meets the bounds.
        none = {"model": "m1", "bounds": {"price": 0, "effort": 0}}
        for what, question, message in (
                ("simulate", {"runs": 5}, "there is no policy to be executed"),
                ("trace", {"run": 5}, "there is no policy to be executed"),
                ("explain", {"states": ["(at-home)"]}, "there is no optimal policy to explain")):
            self.assertEqual(self.studio.answer(what, **none, **question)["error"]["message"],
                             message)

    def test_errors_have_a_place(self):
        text = "(define (domain d)\n  (:predicates (a))\n  (:action b :effect (c)))\n" \
               "(define (problem p) (:domain d) (:init) (:goal (a)))\n"
        events = self.studio.ask("open", files=[{"name": "mine.pddl", "text": text}])
        self.assertEqual(events[-1][0], "error")
        self.assertEqual((events[-1][1]["file"], events[-1][1]["line"]), ("mine.pddl", 3))

    def test_numbers_are_those_of_the_command_line(self):
        answer = self.studio.answer("solve", model="m1", bounds={"price": 10, "effort": 10})
        self.assertAlmostEqual(answer["result"]["result"]["objective"], 12 / 7, places=6)
        self.assertEqual(answer["policy"]["policy"]["total_states"] > 0, True)
        answer = self.studio.answer("solve", model="m1", bounds={"price": 0, "effort": 0})
        self.assertEqual(answer["result"]["result"]["status"], "infeasible")
        self.assertTrue(answer["result"]["result"]["repair"]["text"])
        answer = self.studio.answer("solve", model="m1", bounds={"price": None, "effort": None})
        self.assertAlmostEqual(answer["result"]["result"]["objective"], 1)
        curve = self.studio.answer("sweep", model="m1", cost="price", **{"from": 0, "to": 30})
        self.assertEqual([p["status"] for p in curve["curve"]["points"]],
                         ["infeasible", "optimal"])
        self.assertAlmostEqual(curve["curve"]["infeasible_below"], 6.25, places=6)
        runs = self.studio.answer("simulate", model="m1", runs=2000)["runs"]
        self.assertEqual(runs["runs"], 2000)
        price = next(cost for cost in runs["costs"] if cost["cost"] == "price")
        self.assertAlmostEqual(price["exceeds"], 0.5, delta=0.06)
        self.assertEqual(sum(bar[2] for bar in price["bars"]), 2000)
        trace = self.studio.answer("trace", model="m1", run=0)["trace"]
        self.assertEqual((trace["start"], trace["end"]), ("(at-home)", "goal"))
        states = self.studio.answer("explain", model="m1", states=["(at-home)"])["explanation"]
        self.assertEqual(len(states["states"][0]["actions"]), 3)

    def test_many_models_are_not_kept(self):
        with Studio(*WORK) as studio:
            files = []
            for name in WORK:
                with open(name) as file:
                    files.append({"name": name, "text": file.read()})
            for _ in range(12):
                last = studio.answer("open", files=files)["model"]["id"]
            self.assertEqual(studio.ask("model", model="m1")[-1][0], "error")
            self.assertEqual(studio.ask("model", model=last)[-1][0], "done")
            hello = json.loads(studio.request("GET", "api/hello")[2])
            self.assertEqual(len(hello["models"]), 8)

    def test_slow_clients_are_not_waited_for(self):
        with Studio(*WORK) as studio:
            slow = [socket.create_connection(("127.0.0.1", studio.port)) for _ in range(25)]
            begin = time.time()
            for connection in slow:
                connection.sendall(b"GET /")
            studio.answer("solve", model="m1")  # the others are served meanwhile
            # One byte at a time does not help them either.
            alive = slow
            while alive and time.time() - begin < 60:
                time.sleep(0.5)
                still = []
                for connection in alive:
                    try:
                        connection.sendall(b"a")
                        connection.setblocking(False)
                        try:
                            gone = connection.recv(100) == b""
                        except BlockingIOError:
                            gone = False
                        connection.setblocking(True)
                        if not gone:
                            still.append(connection)
                    except OSError:
                        pass
                alive = still
            self.assertEqual(alive, [])
            for connection in slow:
                connection.close()

    def test_whoever_hangs_up_is_not_worked_for(self):
        with tempfile.NamedTemporaryFile("w", suffix=".pddl") as file:
            write_long_model(file.name)
            with Studio(file.name) as studio:
                body = json.dumps({"model": "m1"}).encode()
                head = (f"POST /{studio.token}/api/solve HTTP/1.1\r\nHost: 127.0.0.1:{studio.port}"
                        "\r\nContent-Type: application/json\r\n"
                        f"Content-Length: {len(body)}\r\n\r\n").encode()
                connection = socket.create_connection(("127.0.0.1", studio.port))
                connection.sendall(head + body)
                heard = b""
                while b"event: progress" not in heard:
                    heard += connection.recv(4096)
                connection.close()
                # The model is free again once the question is dropped.
                begin = time.time()
                self.assertEqual(studio.ask("model", model="m1")[-1][0], "done")
                self.assertLess(time.time() - begin, 30)
                # And so is the program, at once, while a question is worked on.
                connection = socket.create_connection(("127.0.0.1", studio.port))
                connection.sendall(head + body)
                self.assertTrue(connection.recv(10))
                self.assertEqual(studio.stop(), 0)
                connection.close()

    def test_too_many_questions_at_once(self):
        with tempfile.NamedTemporaryFile("w", suffix=".pddl") as file:
            write_long_model(file.name)
            with Studio(file.name) as studio:
                body = json.dumps({"model": "m1"}).encode()
                head = (f"POST /{studio.token}/api/solve HTTP/1.1\r\nHost: 127.0.0.1:{studio.port}"
                        "\r\nContent-Type: application/json\r\n"
                        f"Content-Length: {len(body)}\r\n\r\n").encode()
                asked = []
                statuses = []
                for _ in range(16):
                    connection = socket.create_connection(("127.0.0.1", studio.port))
                    connection.sendall(head + body)
                    statuses.append(connection.recv(12)[-3:])
                    asked.append(connection)
                self.assertEqual(statuses.count(b"200"), 12)
                self.assertEqual(statuses.count(b"503"), 4)
                self.assertEqual(studio.request("GET", "api/hello")[0], 200)
                for connection in asked:
                    connection.close()

    def test_a_storm_of_requests(self):
        """A thousand a second, random: it is alive after that, and has not grown."""
        with Studio(*WORK) as studio:
            studio.answer("solve", model="m1")
            storm(studio, 1.0)
            before = studio.memory()
            counts, answered = storm(studio, STORM)
            self.assertGreater(answered, 20 * STORM)
            self.assertTrue(studio.is_alive())
            self.assertEqual(studio.ask("solve", model="m1")[-1][0], "done")
            grown = studio.memory() - before
            self.assertLess(grown, 60 * MEGABYTE)
            print(f"storm: {counts / STORM:.0f} requests a second for {STORM:.0f} s, "
                  f"{answered} of them answered, "
                  f"{studio.memory() / 1e6:.0f} MB, grown by {grown / 1e6:.1f} MB", file=sys.stderr)


def random_request(studio, rng):
    token = studio.token if rng.random() < 0.6 else "".join(rng.choices("0123456789abcdef", k=32))
    host = f"127.0.0.1:{studio.port}" if rng.random() < 0.9 else "evil.example"
    path = rng.choice(["", "api/hello", "api/solve", "api/sweep", "api/simulate", "api/trace",
                       "api/explain", "api/open", "api/model", "x" * rng.randrange(300)])
    question = {"model": rng.choice(["m1", "m1", "m2", 3]),
                "bounds": {rng.choice(["price", "effort"]): rng.choice([0, 5, 9.5, None, -1, 1e300])},
                "cost": "price", "from": 0, "to": rng.choice([1, 20]), "runs": 50, "run": 3,
                "states": ["(at-home)"]}
    body = json.dumps(question).encode()
    if rng.random() < 0.3:
        body = rng.randbytes(rng.randrange(200))
    complete = True
    method = rng.choice(["GET", "POST", "POST", "POST", "PUT", "\0"])
    head = f"{method} /{token}/{path} HTTP/1.1\r\nHost: {host}\r\n"
    if rng.random() < 0.9:
        head += "Content-Type: application/json\r\n"
    if rng.random() < 0.1:
        head += f"Origin: http://evil.example\r\nX: {'y' * rng.randrange(9000)}\r\n"
    if method != "GET":
        complete = rng.random() < 0.95
        length = len(body) if complete else rng.randrange(10**6)
        head += f"Content-Length: {length}\r\n"
    data = head.encode() + b"\r\n" + (body if method != "GET" else b"")
    if rng.random() < 0.1:
        complete = False
        data = data[: rng.randrange(len(data))]
    return data, complete


def storm(studio, seconds):
    end = time.time() + seconds
    counts = [0] * 4
    answered = [0] * 4

    def thread(number):
        rng = random.Random(number)
        while time.time() < end:
            try:
                with socket.create_connection(("127.0.0.1", studio.port), timeout=20) as connection:
                    data, complete = random_request(studio, rng)
                    connection.sendall(data)
                    # Some hang up while they are answered.
                    while complete and (part := connection.recv(65536)) and rng.random() < 0.9:
                        answered[number] += part.startswith(b"HTTP/1.1 200")
            except OSError:
                pass
            counts[number] += 1

    threads = [threading.Thread(target=thread, args=(i,)) for i in range(4)]
    for one in threads:
        one.start()
    for one in threads:
        one.join()
    return sum(counts), sum(answered)


class CommandLine(unittest.TestCase):
    def run_studio(self, *arguments):
        return subprocess.run([os.environ["CARL"], "studio", "--no-browser", *arguments],
                              capture_output=True, text=True, timeout=60)

    def test_tokens_differ(self):
        with Studio() as one, Studio() as other:
            self.assertNotEqual(one.token, other.token)
            hello = json.loads(one.request("GET", "api/hello")[2])
            self.assertEqual(hello["models"], [])
            self.assertEqual(len(hello["examples"]), 6)
            for example in hello["examples"]:
                model = one.answer("open", example=example["name"])["model"]
                self.assertIn(one.ask("solve", model=model["id"])[-1][0], "done", example)

    def test_a_port_that_is_taken(self):
        with Studio() as studio:
            result = self.run_studio("--port", str(studio.port))
            self.assertEqual(result.returncode, 2)
            self.assertRegex(result.stderr, rf"port {studio.port} of 127.0.0.1 is taken, or not for you")
            self.assertIn("without --port a free one is found", result.stderr)

    def test_bad_input(self):
        result = self.run_studio("/nowhere.pddl")
        self.assertEqual(result.returncode, 2)
        self.assertRegex(result.stderr, "nowhere")
        result = self.run_studio(*WORK, "--cvar", "price=0.9:20")
        self.assertEqual(result.returncode, 2)
        self.assertIn("studio does not know of CVaR, which is a search of its own", result.stderr)

    def test_options_of_the_command_line_hold(self):
        with Studio(*WORK, "--bound", "price=10") as studio:
            model = studio.answer("model", model="m1")["model"]
            self.assertEqual([cost["bound"] for cost in model["costs"]], [None, 10, 10])
            self.assertEqual(model["title"], "today (getting-to-work)")
            self.assertRegex(model["files"][0]["text"], re.escape("(define (domain"))


if __name__ == "__main__":
    unittest.main()
