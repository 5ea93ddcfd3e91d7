// Variables that load code into a Node program, change where it finds code, or change what it reads and writes at start.
// Roost's own programs run without them; the agents and shells that Roost starts keep the user's.

/** A repository can set these for the hooks of an agent. */
export const LOADER_VARIABLES: readonly string[] =
	`NODE_OPTIONS NODE_PATH NODE_CHANNEL_FD NODE_COMPILE_CACHE NODE_DEBUG NODE_DEBUG_NATIVE NODE_EXTRA_CA_CERTS
	NODE_ICU_DATA NODE_PENDING_DEPRECATION NODE_PRESERVE_SYMLINKS NODE_PRESERVE_SYMLINKS_MAIN NODE_REDIRECT_WARNINGS
	NODE_REPL_EXTERNAL_MODULE NODE_TEST_CONTEXT NODE_TLS_REJECT_UNAUTHORIZED NODE_UNIQUE_ID NODE_USE_ENV_PROXY
	NODE_USE_SYSTEM_CA NODE_V8_COVERAGE ICU_DATA OPENSSL_CONF OPENSSL_ENGINES OPENSSL_MODULES SSLKEYLOGFILE`.split(/\s+/);

/** These act on the first program that is started, `env` included: only the agent itself can keep a repository from setting them. */
const LINKER_VARIABLES =
	'LD_AUDIT LD_LIBRARY_PATH LD_PRELOAD DYLD_FRAMEWORK_PATH DYLD_INSERT_LIBRARIES DYLD_LIBRARY_PATH BASH_ENV'.split(' ');

/** The user's own values, for settings that override a repository's. */
export function pinLinker(env: Variables): Record<string, string> {
	return Object.fromEntries(LINKER_VARIABLES.map((name) => [name, env[name] ?? '']));
}

/** A signal would open Node's debugger, and with it the process, to every program of this user. */
export const NO_DEBUGGER = '--disable-sigusr1';

export type Program = readonly [node: string, ...args: string[]];

/** For a program that an agent starts: its environment is the agent's, so the variables are dropped before Node starts. */
export function toPinnedArgv([node, ...args]: Program): [string, ...string[]] {
	return ['/usr/bin/env', ...LOADER_VARIABLES.map((name) => `-u${name}`), node, NO_DEBUGGER, ...args];
}

export type Variables = Readonly<Record<string, string | undefined>>;

const KEPT = 'ROOST_KEPT_';

/** For a program of Roost that starts others for the user: it runs without the variables and restores them for those. */
export function setAside<T extends string | undefined>(env: Readonly<Record<string, T>>): Record<string, T> {
	return Object.fromEntries(
		Object.entries(env).map(([name, value]) => [LOADER_VARIABLES.includes(name) ? `${KEPT}${name}` : name, value]),
	);
}

/** Gives the variables that were set aside their own names again, for the programs that are started from here. */
export function restore(env: Record<string, string | undefined>): void {
	for (const [name, value] of Object.entries(env).filter(([name]) => name.startsWith(KEPT))) {
		env[name.slice(KEPT.length)] = value;
		delete env[name];
	}
}
