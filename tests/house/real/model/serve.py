#!/usr/bin/env python3
"""A llama.cpp server on loopback with the tiny model beside this file: `serve.py [--port N] [--ctx N] [--slots N]`.

Needs one package: `python3 -m venv V && V/bin/pip install xllamacpp` (a wheel of about 30 MB with llama.cpp's own server
inside). Prints `listening http://127.0.0.1:N` when it answers; ends with its standard input or with a signal.
"""
import argparse
import os
import sys

import xllamacpp

parser = argparse.ArgumentParser(description=__doc__)
parser.add_argument("--port", type=int, default=0)
parser.add_argument("--ctx", type=int, default=4096, help="tokens of all slots together")
parser.add_argument("--slots", type=int, default=1)
arguments = parser.parse_args()

params = xllamacpp.CommonParams()
params.model.path = os.path.join(os.path.dirname(os.path.abspath(__file__)), "tiny.gguf")
params.model_alias = {"tiny"}
params.n_ctx = arguments.ctx
params.n_parallel = arguments.slots
params.hostnames = ["127.0.0.1"]
params.port = arguments.port
params.use_jinja = True
params.ctx_shift = False
params.endpoint_props = params.endpoint_slots = params.endpoint_metrics = True
server = xllamacpp.Server(params)
print("listening", server.listening_address, flush=True)
sys.stdin.read()
os._exit(0)
