// The runner's configuration: flags over environment over the user's own file over defaults. Nothing comes from a repository.
import { isAbsolute } from 'node:path';
import { AppError } from '@roost/protocol/app-error';
import { err, ok, type Result } from '@roost/protocol/result';
import { configPath, homeDirectory } from './config-path.ts';
import { describeIssue } from './describe-issue.ts';
import { readConfigFile } from './read-config-file.ts';
import { createConfigSchema, type RunnerConfig } from './schema.ts';
import { listSettings, type Setting } from './setting.ts';

export type ConfigFlags = { port?: string | number | undefined; enforce?: boolean | undefined };

export type ConfigInputs = { env: NodeJS.ProcessEnv; flags?: ConfigFlags };

export function loadConfig(inputs: ConfigInputs): Result<RunnerConfig> {
	const loaded = loadWithSources(inputs);
	return loaded.ok ? ok(loaded.value.config) : loaded;
}

/** Where a value comes from; one that is in none of these is a default. */
export type Loaded = {
	config: RunnerConfig;
	settings: readonly Setting[];
	/** Of config.yaml, whether it exists or not. */
	file: string;
	/** What config.yaml has; null where there is none. */
	content: Content | null;
	/** The variable or flag that goes over the file, by key. */
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
	const problems = parsed.error.issues.map((issue) => describeIssue(issue, { content: layered, file, overrides }));
	return err(new AppError('usage', problems.join(' ')));
}

/** It is read once, and code made for it would cost more than it saves. */
const READ_ONCE = { jitless: true };

/** What opens the API. Where nothing is configured, no schema is built to say so: every command asks for this. */
export function loadAuth(env: NodeJS.ProcessEnv): Result<RunnerConfig['auth']> {
	const content = readContent(configPath(env));
	if (content.ok && content.value === null && !CONFIG_VARIABLES.some((name) => env[name])) return ok({});
	const config = loadConfig({ env });
	return config.ok ? ok(config.value.auth) : config;
}

/** The variables that set a key. */
export const CONFIG_VARIABLES = ['ROOST_PORT', 'ROOST_HOST', 'ROOST_AUTH_TOKEN', 'ROOST_HUB_URL', 'ROOST_GATE'] as const;

export type Content = Record<string, unknown>;
type Given = Override & { path: readonly string[]; value: string | number };

function readContent(file: string): Result<Content | null> {
	const read = readConfigFile(file);
	if (!read.ok) return read;
	if (read.value === null) return ok(null);
	// An empty file is a configuration with nothing in it.
	const content = read.value.content ?? {};
	if (!isMap(content)) return err(new AppError('usage', `${file} must be a map of keys, such as "runner:".`));
	if (holdsToken(content) && !read.value.isPrivate) {
		return err(new AppError('unsafe_path', `${file} holds auth.token and can be read by others: run \`chmod 600\` on it.`));
	}
	return ok(content);
}

/** An empty variable is one that is not set. */
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

/** What is no number stays as it is, so that the error can show it. */
function toNumber(value: string | number): string | number {
	return typeof value === 'string' && /^\d{1,9}$/.test(value) ? Number(value) : value;
}

/** A section that is no map is left for the schema to refuse. */
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
