# SPDX-License-Identifier: BSD-3-Clause
"""Headless Chromium, controlled through pipes."""

import json
import os
import shutil
import subprocess
import time


class Browser:
    """A context manager. Shows one page at a time."""

    def __init__(self, directory):
        program = shutil.which("chromium")
        assert program, "there is no chromium: jobs/setup.sh --tests installs it"
        read, self.to = os.pipe()
        self.source, write = os.pipe()

        def give_pipes():  # it reads from 3 and writes to 4
            ends = os.dup(read), os.dup(write)
            os.dup2(ends[0], 3)
            os.dup2(ends[1], 4)

        self.process = subprocess.Popen(
            [program, "--headless", "--no-sandbox", "--disable-gpu", "--remote-debugging-pipe",
             "--window-size=1200,1000", f"--user-data-dir={directory}", "about:blank"],
            preexec_fn=give_pipes, close_fds=False, stderr=subprocess.DEVNULL)
        os.close(read)
        os.close(write)
        self.number, self.rest, self.session, self.target = 0, b"", None, None

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.process.terminate()
        self.process.wait(30)
        os.close(self.to)
        os.close(self.source)

    def open(self, address):
        """Opens an address in a new page and closes the previous one."""
        self.session = None
        before, self.target = self.target, self.call("Target.createTarget", url="about:blank")["targetId"]
        if before:
            self.call("Target.closeTarget", targetId=before)
        self.session = self.call("Target.attachToTarget", targetId=self.target, flatten=True)["sessionId"]
        self.call("Page.navigate", url=address)

    def call(self, method, **parameters):
        """Calls a method of the DevTools protocol and returns the answer."""
        self.number += 1
        message = {"id": self.number, "method": method, "params": parameters}
        if self.session:
            message["sessionId"] = self.session
        os.write(self.to, json.dumps(message).encode() + b"\0")
        while True:
            while b"\0" not in self.rest:
                piece = os.read(self.source, 65536)
                assert piece, "the browser is gone"
                self.rest += piece
            one, self.rest = self.rest.split(b"\0", 1)
            if (answer := json.loads(one)).get("id") == self.number:
                assert "result" in answer, answer
                return answer["result"]

    def value(self, expression):
        """Evaluates a JavaScript expression."""
        return self.call("Runtime.evaluate", expression=expression,
                         returnByValue=True)["result"].get("value")

    def resize(self, width, height):
        """Resizes the window, until the next page is opened."""
        self.call("Emulation.setDeviceMetricsOverride", width=width, height=height, deviceScaleFactor=0, mobile=False)
        self.wait_for(f"innerWidth === {width}")

    def wait_for(self, expression, seconds=60):
        end = time.monotonic() + seconds
        while not self.value(expression):
            assert time.monotonic() < end, expression
            time.sleep(0.05)

    def mouse(self, kind, x, y):
        self.call("Input.dispatchMouseEvent", type=kind, x=x, y=y, button="left", buttons=1, clickCount=1)
