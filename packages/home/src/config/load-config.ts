// The runner's configuration: flags override the environment, which overrides the user's own file. Nothing comes from a repository.
import { isAbsolute } from 'node:path';
import { AppError } from '@roost/protocol/app-error';
import { err, ok, type Result } from '@roost/protocol/result';
import type { z } from 'zod';
import { configPath, homeDirectory, readConfigFile } from './config-file.ts';
import { createConfigSchema, type RunnerConfig } from './schema.ts';
import { listSettings, type Setting } from './setting.ts';

export type ConfigFlags = { port?: string | number | undefined; enforce?: boolean | undefined };

export type ConfigInputs = { env: NodeJS.ProcessEnv; flags?: ConfigFlags };

export function loadConfig(inputs: ConfigInputs): Result<RunnerConfig> {
	const loaded = loadWithSources(inputs);
	return loaded.ok ? ok(loaded.value.config) : loaded;
}

/** The configuration and the source of each value; a value without a source is a default. */
export type Loaded = {
	config: RunnerConfig;
	settings: readonly Setting[];
	/** The path of config.yaml, whether it exists or not. */
	file: string;
	/** Null if there is no config.yaml. */
	content: Content | null;
	/** The variable or flag that overrides the file, by key. */
	overrides: ReadonlyMap<string, Override>;
};

export type Override = { source: 'environment' | 'flag'; name: string };

export function loadWithSources({ env, flags = {} }: ConfigInputs): Result<Loaded> {
	if (env.ROOST_HOME && !isAbsolute(env.ROOST_HOME)) {
		return err(new AppError('usage', `ROOST_HOME must be an absolute path; it is "${env.ROOST_HOME}".`));
	}
	const file = configPath(env);
	const content = readContent(file);
	if (!content.ok) return content;
	const schema = createConfigSchema({ homeDir: homeDirectory(env), shell: env.SHELL || '/bin/sh' });
	const settings = listSettings(schema);
	const given = [...fromEnvironment(env, settings), ...fromFlags(flags)];
	const layered = given.reduce(withValue, content.value ?? {});
	const overrides = new Map(given.map(({ path, source, name }) => [path.join('.'), { source, name }]));
	const parsed = schema.safeParse(layered, READ_ONCE);
	if (parsed.success) return ok({ config: parsed.data, settings, file, content: content.value, overrides });
	const problems = parsed.error.issues.map((issue) => describeIssue(issue, layered, { file, overrides }));
	return err(new AppError('usage', problems.join(' ')));
}

/** The schema is used once: compiling it costs more than it saves. */
const READ_ONCE = { jitless: true };

/** Every command needs this, so no schema is built if nothing is configured. */
export function loadAuth(env: NodeJS.ProcessEnv): Result<RunnerConfig['auth']> {
	const content = readContent(configPath(env));
	if (content.ok && content.value === null && !CONFIG_VARIABLES.some((name) => env[name])) return ok({});
	const config = loadConfig({ env });
	return config.ok ? ok(config.value.auth) : config;
}

/** The variables that set a key. */
export const CONFIG_VARIABLES = [
	'ROOST_PORT',
	'ROOST_HOST',
	'ROOST_AUTH_TOKEN',
	'ROOST_HUB_URL',
	'ROOST_HUB_DATABASE',
	'ROOST_HUB_NATS',
	'ROOST_GATE',
] as const;

export type Content = Record<string, unknown>;
type Given = Override & { path: readonly string[]; value: string | number };

function readContent(file: string): Result<Content | null> {
	const read = readConfigFile(file);
	if (!read.ok) return read;
	if (read.value === null) return ok(null);
	const content = read.value.content ?? {};
	if (!isMap(content)) return err(new AppError('usage', `${file} must be a map of keys, such as "runner:".`));
	if (holdsToken(content) && !read.value.isPrivate) {
		return err(new AppError('unsafe_path', `${file} holds auth.token and can be read by others: run \`chmod 600\` on it.`));
	}
	return ok(content);
}

/** An empty variable counts as not set. */
function fromEnvironment(env: NodeJS.ProcessEnv, settings: readonly Setting[]): Given[] {
	return settings.flatMap(({ path, variable: name, isNumber }) => {
		const value = name && env[name];
		return name && value ? [{ path, value: isNumber ? toNumber(value) : value, source: 'environment' as const, name }] : [];
	});
}

function fromFlags({ port, enforce }: ConfigFlags): Given[] {
	const given: Given[] = [];
	if (port !== undefined && port !== '')
		given.push({ path: ['runner', 'port'], value: toNumber(port), source: 'flag', name: '--port' });
	if (enforce) given.push({ path: ['gate', 'mode'], value: 'enforce', source: 'flag', name: '--enforce' });
	return given;
}

/** Leaves other text as it is, so that the error can show it. */
function toNumber(value: string | number): string | number {
	return typeof value === 'string' && /^\d{1,9}$/.test(value) ? Number(value) : value;
}

/** Leaves a section that is not a map to the schema, which rejects it. */
function withValue(content: Content, { path, value }: Pick<Given, 'path' | 'value'>): Content {
	const [key = '', ...below] = path;
	if (below.length === 0) return { ...content, [key]: value };
	const found = content[key] ?? {};
	return isMap(found) ? { ...content, [key]: withValue(found, { path: below, value }) } : content;
}

function holdsToken(content: Content): boolean {
	return isMap(content.auth) && content.auth.token !== undefined;
}

function isMap(value: unknown): value is Content {
	return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** The key, the value found there, and what is allowed. */
function describeIssue(
	issue: z.core.$ZodIssue,
	content: Content,
	{ file, overrides }: Pick<Loaded, 'file' | 'overrides'>,
): string {
	const key = issue.path.join('.');
	if (issue.code === 'unrecognized_keys') {
		return issue.keys.map((name) => describeUnknown([...issue.path, name].join('.'), file, issue.message)).join(' ');
	}
	if (issue.code === 'custom' && typeof issue.params?.noEffect === 'string') return noEffect(key, file, issue.params.noEffect);
	if (issue.code === 'invalid_key') {
		return `${key} in ${file} cannot be a key; it must be ${issue.issues[0]?.message ?? issue.message}.`;
	}
	const value = valueAt(content, issue.path);
	const found = isSecret(issue.path) ? describeKind(value) : describeValue(value);
	return `${overrides.get(key)?.name ?? `${key} in ${file}`} is ${found}; it must be ${issue.message}.`;
}

function describeUnknown(key: string, file: string, allowed: string): string {
	const instead = INSTEAD.get(key);
	return instead === undefined
		? `${key} in ${file} is not known to Roost; allowed there: ${allowed}.`
		: noEffect(key, file, instead);
}

function noEffect(key: string, file: string, instead: string): string {
	return `${key} in ${file} has no effect: ${instead}.`;
}

function isSecret(path: readonly PropertyKey[]): boolean {
	return (
		path[0] === 'auth' || ['hub.database', 'hub.nats'].includes(path.join('.')) || (path[0] === 'agents' && path[2] === 'env')
	);
}

export function valueAt(content: unknown, path: readonly PropertyKey[]): unknown {
	const below = (value: unknown, key: PropertyKey) => Object.entries(Object(value)).find(([name]) => name === String(key))?.[1];
	return path.reduce<unknown>(below, content);
}

const SHOWN = 80;

function describeValue(value: unknown): string {
	if (typeof value === 'number' || typeof value === 'boolean' || value === null) return String(value);
	if (typeof value !== 'string') return describeKind(value);
	return JSON.stringify(value.length > SHOWN ? `${value.slice(0, SHOWN)}…` : value);
}

function describeKind(value: unknown): string {
	if (value === undefined) return 'not there';
	if (value === null) return 'empty';
	if (Array.isArray(value)) return 'a list';
	if (typeof value === 'string') return `a text of ${value.length} characters`;
	return typeof value === 'object' ? 'a map' : `a ${typeof value}`;
}

/** Keys of earlier versions, and what to do instead. */
const INSTEAD: ReadonlyMap<string, string> = new Map([
	['runner.id', 'a runner makes its ID once and keeps it, so remove the key'],
	['buffer', 'every event is kept in roost.db under ROOST_HOME, so remove the key'],
	['runtime.printCommand', 'remove the key; "roost run --agent" chooses the agent of a run'],
]);
