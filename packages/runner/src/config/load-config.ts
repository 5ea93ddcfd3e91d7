// The runner's configuration: flags over environment over the user's own file over defaults. Nothing comes from a repository.
import { isAbsolute, resolve } from 'node:path';
import { AppError } from '@roost/protocol/app-error';
import { err, ok, type Result } from '@roost/protocol/result';
import { configPath, homeDirectory } from './config-path.ts';
import { describeIssue } from './describe-issue.ts';
import { readConfigFile } from './read-config-file.ts';
import { createConfigSchema, type RunnerConfig } from './schema.ts';

export type ConfigFlags = { port?: string | number; host?: string; hubUrl?: string; gate?: string };

export type ConfigSource = {
	env: NodeJS.ProcessEnv;
	/** What the user named with `--config`; it must exist. */
	path?: string;
	flags?: ConfigFlags;
};

export function loadConfig({ env, path, flags = {} }: ConfigSource): Result<RunnerConfig> {
	if (env.ROOST_HOME && !isAbsolute(env.ROOST_HOME)) {
		return err(new AppError('usage', `ROOST_HOME must be an absolute path; it is "${env.ROOST_HOME}".`));
	}
	const file = path === undefined ? configPath(env) : resolve(path);
	const content = readContent(file, path !== undefined);
	if (!content.ok) return content;
	const settings = [...fromEnvironment(env), ...fromFlags(flags)];
	const layered = settings.reduce(withSetting, content.value);
	const origins = new Map(settings.map(({ section, key, origin }) => [`${section}.${key}`, origin]));
	const schema = createConfigSchema({ homeDir: homeDirectory(env), shell: env.SHELL || '/bin/sh' });
	const parsed = schema.safeParse(layered);
	if (parsed.success) return ok(parsed.data);
	const problems = parsed.error.issues.map((issue) => describeIssue(issue, { content: layered, file, origins }));
	return err(new AppError('usage', problems.join(' ')));
}

type Content = Record<string, unknown>;
type Setting = { section: string; key: string; value: string | number; origin: string };

function readContent(file: string, named: boolean): Result<Content> {
	const read = readConfigFile(file);
	if (!read.ok) return read;
	if (read.value === null) return named ? err(new AppError('usage', `There is no configuration at ${file}.`)) : ok({});
	// An empty file is a configuration with nothing in it.
	const content = read.value.content ?? {};
	if (!isMap(content)) return err(new AppError('usage', `${file} must be a map of keys, such as "runner:".`));
	if (holdsToken(content) && !read.value.isPrivate) {
		return err(new AppError('unsafe_path', `${file} holds auth.token and can be read by others: run \`chmod 600\` on it.`));
	}
	return ok(content);
}

function fromEnvironment(env: NodeJS.ProcessEnv): Setting[] {
	return [
		...setting('runner', 'port', toNumber(env.ROOST_PORT), 'ROOST_PORT'),
		...setting('runner', 'host', env.ROOST_HOST, 'ROOST_HOST'),
		...setting('auth', 'token', env.ROOST_AUTH_TOKEN, 'ROOST_AUTH_TOKEN'),
		...setting('hub', 'url', env.ROOST_HUB_URL, 'ROOST_HUB_URL'),
		...setting('gate', 'mode', env.ROOST_GATE, 'ROOST_GATE'),
	];
}

function fromFlags(flags: ConfigFlags): Setting[] {
	return [
		...setting('runner', 'port', toNumber(flags.port), '--port'),
		...setting('runner', 'host', flags.host, '--host'),
		...setting('hub', 'url', flags.hubUrl, '--hub-url'),
		...setting('gate', 'mode', flags.gate, '--gate'),
	];
}

/** An empty variable is one that is not set. */
function setting(section: string, key: string, value: string | number | undefined, origin: string): Setting[] {
	return value === undefined || value === '' ? [] : [{ section, key, value, origin }];
}

/** What is no number stays as it is, so that the error can show it. */
function toNumber(value: string | number | undefined): string | number | undefined {
	return typeof value === 'string' && /^\d{1,9}$/.test(value) ? Number(value) : value;
}

/** A section that is no map is left for the schema to refuse. */
function withSetting(content: Content, { section, key, value }: Setting): Content {
	const found = content[section] ?? {};
	return isMap(found) ? { ...content, [section]: { ...found, [key]: value } } : content;
}

function holdsToken(content: Content): boolean {
	return isMap(content.auth) && content.auth.token !== undefined;
}

function isMap(value: unknown): value is Content {
	return typeof value === 'object' && value !== null && !Array.isArray(value);
}
