#!/bin/sh
# A server that brings one tool.
while read -r line; do
id=${line#*\"id\":}; id=${id%%[,\}]*}
case $line in
*'"initialize"'*) printf '{"jsonrpc":"2.0","id":%s,"result":%s}\n' "$id" '{"protocolVersion":"2025-06-18","capabilities":{"tools":{}},"serverInfo":{"name":"n","version":"1"}}' ;;
*'"tools/list"'*) printf '{"jsonrpc":"2.0","id":%s,"result":%s}\n' "$id" '{"tools":[{"name":"add","description":"Adds a note.","inputSchema":{"type":"object"}}]}' ;;
*'"tools/call"'*) printf '{"jsonrpc":"2.0","id":%s,"result":%s}\n' "$id" '{"content":[{"type":"text","text":"added"}]}' ;;
esac
done
