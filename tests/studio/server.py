"""Starts `carl studio`, asks it questions, and ends it."""

import http.client
import json
import os
import re
import signal
import socket
import subprocess


class Studio:
    def __init__(self, *arguments, env=None):
        self.process = subprocess.Popen(
            [os.environ["CARL"], "studio", "--no-browser", *arguments],
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )
        line = self.process.stdout.readline()
        match = re.fullmatch(r"Studio is at http://127\.0\.0\.1:(\d+)/([0-9a-f]{32})/\n", line)
        assert match, (line, self.process.stderr.read() if not line else "")
        self.port, self.token = int(match[1]), match[2]

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.stop()

    def stop(self):
        """Ctrl-C; returns the exit status."""
        if self.process.poll() is None:
            self.process.send_signal(signal.SIGINT)
        status = self.process.wait(timeout=60)
        self.process.stdout.close()
        self.process.stderr.close()
        return status

    def request(self, method, path, body=None, headers=None, token=None):
        """Status, headers and body; what is not given is as the page would have it."""
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=60)
        token = self.token if token is None else token
        sent = {"Content-Type": "application/json"} if method == "POST" else {}
        sent.update(headers or {})
        connection.request(method, f"/{token}/{path}", body, sent)
        response = connection.getresponse()
        try:
            return response.status, dict(response.getheaders()), response.read()
        finally:
            connection.close()

    def ask(self, what, **question):
        """The events of the answer, as (name, data)."""
        status, _, body = self.request("POST", f"api/{what}", json.dumps(question))
        assert status == 200, (status, body)
        events = []
        for block in body.decode().strip().split("\n\n"):
            name, data = block.split("\n")
            events.append((name.removeprefix("event: "), json.loads(data.removeprefix("data: "))))
        return events

    def answer(self, what, **question):
        """The same without progress, by name: the last one of each."""
        return {name: data for name, data in self.ask(what, **question) if name != "progress"}

    def raw(self, data, timeout=30):
        """Bytes as they are; what comes back."""
        with socket.create_connection(("127.0.0.1", self.port), timeout=timeout) as connection:
            try:
                connection.sendall(data)
                answer = b""
                while part := connection.recv(65536):
                    answer += part
                return answer
            except (ConnectionResetError, BrokenPipeError):
                return b""

    def memory(self):
        """Resident bytes."""
        with open(f"/proc/{self.process.pid}/statm") as file:
            return int(file.read().split()[1]) * os.sysconf("SC_PAGE_SIZE")

    def is_alive(self):
        return self.process.poll() is None
