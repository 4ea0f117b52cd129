# SPDX-License-Identifier: GPL-3.0-or-later
"""A server that answers as Prometheus, its proxies and its failures do: fetch_server.py PORT-FILE LOG [CERT KEY].

The first part of the path says how. Each request is a line of LOG: method, path, number of points, token. With a
certificate it speaks TLS. Ends with its standard input, so that it never outlives whoever started it.
"""
import gzip
import http.server
import json
import os
import ssl
import sys
import threading
import time
import urllib.parse


def points(form):
    start, end, step = (float(form[name][0]) for name in ("start", "end", "step"))
    return [round(start + i * step, 3) for i in range(int((end - start) / step + 1e-9) + 1)]


def matrix(times, extra=None):
    """Two series; the second begins at 6000 s."""
    result = [{"metric": {"__name__": "up", "pod": "a\"\\\n"}, "values": [[t, str(t % 100)] for t in times]},
              {"metric": {"pod": "b"}, "values": [[t, "NaN" if t % 7 == 0 else "1e+06"] for t in times if t >= 6000]}]
    result = [series for series in result if series["values"]]
    return dict({"status": "success", "data": {"resultType": "matrix", "result": result}}, **(extra or {}))


class Handler(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def log_message(self, *arguments):
        pass

    def send(self, body, status=200, kind="application/json", headers=(), length=None):
        self.send_response(status)
        self.send_header("Content-Type", kind)
        for name, value in headers:
            self.send_header(name, value)
        self.send_header("Content-Length", str(len(body) if length is None else length))
        self.send_header("Connection", "close")
        self.end_headers()
        self.wfile.write(body)
        self.close_connection = True

    def answer(self, form):
        path = urllib.parse.urlsplit(self.path).path
        times = points(form)
        with open(sys.argv[2], "a", encoding="ascii") as log:
            log.write("%s %s %d %s\n" % (self.command, path, len(times), self.headers.get("Authorization", "-")))
        how = path.split("/")[1]
        error = {"status": "error", "errorType": "execution", "error": "query processing would load too many samples"}
        if how == "404":
            self.send(b"404 page not found\n", 404, "text/plain")
        elif how == "html":
            self.send(b"<!DOCTYPE html>\n<html><title>Sign in</title></html>\n", 200, "text/html")
        elif how == "words":
            self.send(b"no healthy upstream", 200, "text/plain")
        elif how == "401":
            self.send(b"Unauthorized\n", 401, "text/plain", [("WWW-Authenticate", "Bearer")])
        elif how == "422":
            self.send(json.dumps(error).encode(), 422)
        elif how == "502":
            self.send(b"<html>\n<h1>502 Bad Gateway</h1>\n</html>\n", 502, "text/html")
        elif how == "redirect":
            self.send(b"", 302, headers=[("Location", "https://login.example.org/oauth?next=" + path)])
        elif how == "cut":
            body = json.dumps(matrix(times)).encode()
            self.send(body[:len(body) // 2], length=len(body))
        elif how == "half":
            body = json.dumps(matrix(times)).encode()
            self.send(body[:len(body) // 2])
        elif how == "empty":
            self.send(b"")
        elif how == "warn":
            self.send(json.dumps(matrix(times, {"warnings": ["partial data: store 3 is away"]})).encode())
        elif how == "overlap":
            self.send(json.dumps(matrix([times[0] - 15] + times)).encode())
        elif how == "gzip":
            self.send(gzip.compress(json.dumps(matrix(times)).encode()), headers=[("Content-Encoding", "gzip")])
        elif how == "slow":
            time.sleep(5)
        elif len(times) > 11000:
            self.send(json.dumps(dict(error, error="exceeded maximum resolution of 11,000 points")).encode(), 400)
        else:
            self.send(json.dumps(matrix(times)).encode())

    def do_GET(self):
        self.answer(urllib.parse.parse_qs(urllib.parse.urlsplit(self.path).query))

    def do_POST(self):
        length = int(self.headers["Content-Length"])
        self.answer(urllib.parse.parse_qs(self.rfile.read(length).decode()))


def main():
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    server.daemon_threads = True
    if len(sys.argv) > 4:
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        context.load_cert_chain(sys.argv[3], sys.argv[4])
        server.socket = context.wrap_socket(server.socket, server_side=True)
    with open(sys.argv[1] + ".new", "w", encoding="ascii") as port:
        port.write("%d\n" % server.server_address[1])
    os.rename(sys.argv[1] + ".new", sys.argv[1])
    threading.Thread(target=server.serve_forever, daemon=True).start()
    sys.stdin.read()
    os._exit(0)


main()
