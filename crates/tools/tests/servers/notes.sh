# A server for tests. Its first argument says what it does otherwise than a good one.
how=$1
cancelled=no
say() { printf '%s\n' "$1"; }
text() { say "{\"jsonrpc\":\"2.0\",\"id\":$id,\"result\":{\"content\":[{\"type\":\"text\",\"text\":\"$1\"}],\"isError\":$2}}"; }
add='{"name":"add","description":"Adds a note.","inputSchema":{"type":"object","properties":{"text":{"type":"string"}},"required":["text"]}}'
pid='{"name":"pid","description":"Tells its number.","inputSchema":{"type":"object"}}'
case $how in
dead) echo 'no notes here' >&2; exit 3 ;;
garbage) say 'Welcome to notes!'; say '{"half": ' ;;
mute) while read -r line; do :; done ;;
esac
while read -r line; do
    id=${line#*\"id\":}
    id=${id%%[,\}]*}
    case $line in
    *'"method":"initialize"'*)
        say "{\"jsonrpc\":\"2.0\",\"id\":$id,\"result\":{\"protocolVersion\":\"2024-11-05\",\"capabilities\":{\"tools\":{}},\"serverInfo\":{\"name\":\"notes\",\"version\":\"1\"}}}" ;;
    *'"cursor":"two"'*)
        say "{\"jsonrpc\":\"2.0\",\"id\":$id,\"result\":{\"tools\":[$pid]}}" ;;
    *'"method":"tools/list"'*)
        case $how in
        endless) say "{\"jsonrpc\":\"2.0\",\"id\":$id,\"result\":{\"tools\":[$add],\"nextCursor\":\"on\"}}" ;;
        *) say "{\"jsonrpc\":\"2.0\",\"id\":$id,\"result\":{\"tools\":[$add],\"nextCursor\":\"two\"}}" ;;
        esac ;;
    *'"method":"notifications/cancelled"'*) cancelled=yes ;;
    *'"name":"add"'*) text 'added' false ;;
    *'"name":"pid"'*) text $$ false ;;
    *'"name":"fail"'*) text 'the disk is full' true ;;
    *'"name":"refuse"'*) say "{\"jsonrpc\":\"2.0\",\"id\":$id,\"error\":{\"code\":-32602,\"message\":\"no such tool\"}}" ;;
    *'"name":"slow"'*) ;;
    *'"name":"cancelled"'*) text $cancelled false ;;
    *'"name":"secret"'*) text "${USER_OF_NOTES-unset} ${CARGO_PKG_NAME-unset}" false ;;
    *'"name":"die"'*) echo 'cannot go on' >&2; exit 4 ;;
    *'"name":"huge"'*) head -c 9000000 /dev/zero | tr '\0' x; say '' ;;
    esac
done
