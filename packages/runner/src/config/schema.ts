// The whole of config.yaml: every key, its default, and in words what may stand there.
import { isAbsolute, join } from 'node:path';
import { DEFAULT_ASK_MS, LONGEST_ASK_MS } from '@roost/agents/ask-timeouts';
import { MOST_TURNS } from '@roost/protocol/session-row';
import { z } from 'zod';

export type RunnerConfig = z.infer<ReturnType<typeof createConfigSchema>>;

/** What a default or a path depends on. */
export type Surroundings = { homeDir: string; shell: string };

export function createConfigSchema({ homeDir, shell }: Surroundings) {
	const path = pathFrom(homeDir);
	return section({
		runner: section({
			id: text().optional(),
			name: text().default('default'),
			port: whole(0, 65_535).default(3100),
			host: text().default('127.0.0.1'),
		}),
		auth: section({ token: token().optional(), tokenFile: path.optional() }),
		projects: section({
			roots: list(path).default([]),
			scanClaudeProjects: yesNo().default(true),
			excludePatterns: list(text()).default(['node_modules', '.git']),
		}),
		hub: section({
			enabled: z.literal(false, 'false: this version of Roost has no hub yet').default(false),
			url: hubUrl().optional(),
			reconnect: section({
				initialDelayMs: milliseconds().default(1000),
				maxDelayMs: milliseconds().default(30_000),
				multiplier: factor().default(2),
				jitter: yesNo().default(true),
			}),
			heartbeatIntervalMs: milliseconds().default(15_000),
		}),
		pty: section({
			shell: path.default(shell),
			useTmux: yesNo().default(false),
			tmuxSocketPath: path.optional(),
			scrollbackLines: whole(0, 1_000_000).default(10_000),
		}),
		buffer: section({ maxEvents: whole(1, 1_000_000_000).default(50_000), storagePath: path.optional() }),
		sdk: section({
			approvalTimeoutMs: whole(1, LONGEST_ASK_MS).default(DEFAULT_ASK_MS),
			settingSources: list(oneOf(['user', 'project', 'local'])).default([]),
			/** Model calls per prompt; no limit where it is absent. */
			maxTurns: whole(1, MOST_TURNS).optional(),
		}),
		gate: section({ mode: oneOf(['observe', 'enforce']).default('observe') }),
		runtime: section({
			default: agentId().default('claude'),
			printCommand: agentId().optional(),
			pi: section({ provider: text().optional(), modelMap: named(text(), text()).default({}) }),
		}),
		agents: named(agentId(), section({ command: argv().optional(), env: named(variable(), anyText()).default({}) })).default({}),
	});
}

const MOST_MS = 2 ** 31 - 1;

/** A map of known keys; absent or left empty it is an empty one, so that the defaults inside it hold. */
function section<Shape extends z.core.$ZodLooseShape>(shape: Shape) {
	const keys = Object.keys(shape).join(', ');
	const map = z.strictObject(shape, {
		error: ({ code }) => (code === 'unrecognized_keys' ? keys : `a map with the keys ${keys}`),
	});
	return z.preprocess((found) => found ?? {}, map);
}

function text() {
	const allowed = 'a text that is not empty';
	return z.string(allowed).min(1, allowed);
}

function anyText() {
	return z.string('a text (put numbers and yes or no in quotes)');
}

function whole(least: number, most: number) {
	const allowed = `a whole number from ${least} to ${most}`;
	return z.int(allowed).min(least, allowed).max(most, allowed);
}

function milliseconds() {
	return whole(1, MOST_MS);
}

function factor() {
	const allowed = 'a number from 1 to 100';
	return z.number(allowed).min(1, allowed).max(100, allowed);
}

function yesNo() {
	return z.boolean('true or false');
}

function token() {
	const allowed = 'a text of 32 to 512 visible ASCII characters without spaces';
	return z.string(allowed).regex(/^[\x21-\x7e]{32,512}$/, allowed);
}

function hubUrl() {
	return z.url({ protocol: /^(wss?|https?)$/, error: 'an address such as wss://hub.example.com' });
}

function oneOf<const Word extends string>(words: readonly [Word, ...Word[]]) {
	return z.enum(words, words.length > 2 ? `one of ${words.join(', ')}` : words.join(' or '));
}

function agentId() {
	const allowed = 'the id of an agent: small letters, digits and dashes';
	return z.string(allowed).regex(/^[a-z0-9][a-z0-9-]{0,63}$/, allowed);
}

function variable() {
	const allowed = 'the name of a variable: letters, digits and underscores';
	return z.string(allowed).regex(/^[A-Za-z_][A-Za-z0-9_]*$/, allowed);
}

/** A program with its arguments; a lone text is the program, and is never split into words. */
function argv() {
	const allowed = 'a program, or a list of a program and its arguments';
	const one = z.string(allowed).min(1, allowed);
	return z.union([one.transform((program) => [program]), z.array(one).min(1, allowed)], allowed);
}

function list<Item extends z.ZodType>(item: Item) {
	return z.array(item, 'a list');
}

function named<Key extends z.ZodString, Value extends z.ZodType>(key: Key, value: Value) {
	return z.record(key, value, { error: 'a map' });
}

function pathFrom(homeDir: string) {
	const allowed = 'an absolute path, or one that begins with ~/';
	return z
		.string(allowed)
		.refine((path) => isAbsolute(path) || path.startsWith('~/'), allowed)
		.transform((path) => (path.startsWith('~/') ? join(homeDir, path.slice(2)) : path));
}
