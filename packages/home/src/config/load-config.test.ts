import { execFileSync } from 'node:child_process';
import { chmodSync, chownSync, mkdirSync, rmdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { AGENT_IDS } from '@roost/agents/base/agent-names';
import { KNOWN_AGENTS } from '@roost/agents/kinds';
import { createTempDir } from '@roost/testkit/rigs/temp-dir';
import { unwrap, unwrapError } from '@roost/testkit/rigs/unwrap';
import { describe, expect, it } from 'vitest';
import { CONFIG_VARIABLES, type ConfigFlags, loadConfig } from './load-config.ts';
import { createConfigSchema } from './schema.ts';
import { listSettings } from './setting.ts';

const TOKEN = 'k'.repeat(32);

it('lists every environment variable of the schema in CONFIG_VARIABLES', () => {
	const variables = listSettings(createConfigSchema({ homeDir: '/home', shell: '/bin/sh' })).flatMap(
		({ variable }) => variable ?? [],
	);
	expect(CONFIG_VARIABLES.toSorted()).toEqual(variables.toSorted());
});

describe('configuration', () => {
	it('is complete without a file', () => {
		expect(unwrap(loadConfig({ env: { ROOST_HOME: '/nowhere', HOME: '/home/me', SHELL: '/bin/zsh' } }))).toEqual({
			runner: { name: 'default', port: 3100, host: '127.0.0.1' },
			web: { origins: [] },
			push: { hosts: [] },
			auth: {},
			projects: { roots: [], scanClaudeProjects: true, excludePatterns: ['node_modules', '.git'] },
			hub: {
				enabled: true,
				accepts: { read: 'role', stop: 'role', operate: 'signed', approve: 'signed', own: 'signed' },
				reconnect: { initialDelayMs: 1000, maxDelayMs: 30_000, multiplier: 2, jitter: true },
				heartbeatIntervalMs: 15_000,
				name: 'hub',
				port: 4100,
				host: '127.0.0.1',
				urls: [],
				behindProxy: false,
				webhooks: {},
				notify: { runners: {} },
			},
			pty: { shell: '/bin/zsh', useTmux: false, scrollbackLines: 10_000 },
			sdk: { approvalTimeoutMs: 1_800_000, settingSources: [] },
			gate: { mode: 'observe' },
			runtime: { default: 'claude', pi: { modelMap: {} } },
			agents: {},
		});
	});

	it('reads every key from the file', async () => {
		const everything = {
			runner: { name: 'desk', port: 4000, host: '127.0.0.2' },
			push: { hosts: ['push.example.com', '127.0.0.1:4000'] },
			web: { origins: ['https://host.tailnet.ts.net', 'https://roost.example:8443'] },
			auth: { token: TOKEN, tokenFile: '/t' },
			projects: { roots: ['/a', '/b'], scanClaudeProjects: false, excludePatterns: ['dist'] },
			hub: {
				enabled: false,
				url: 'wss://hub.example.com',
				accepts: { read: 'none', stop: 'signed', operate: 'role', approve: 'none', own: 'none' },
				reconnect: { initialDelayMs: 1, maxDelayMs: 2, multiplier: 1.5, jitter: false },
				heartbeatIntervalMs: 3,
				name: 'ours',
				port: 1,
				host: '0.0.0.0',
				urls: ['https://hub.example.com'],
				behindProxy: true,
				certificate: '/c',
				key: '/k',
				database: 'postgresql://db/hub',
				nats: 'nats://bus',
				webhooks: { phone: { url: 'https://ntfy.example.com', format: 'ntfy', topic: 'roost' } },
				notify: { quietHours: '22:00-07:00', timeZone: 'Europe/Berlin', runners: { laptop: false } },
			},
			pty: { shell: '/bin/fish', useTmux: true, tmuxSocketPath: '/s', scrollbackLines: 5 },
			sdk: { approvalTimeoutMs: 7, settingSources: ['user', 'local'], maxTurns: 8 },
			gate: { mode: 'enforce' },
			runtime: { default: 'pi', pi: { provider: 'anthropic', modelMap: { sonnet: 'a/b' } } },
			agents: { claude: { command: ['/bin/claude', '--verbose'], env: { A: 'b' } } },
		};
		await using world = await createWorld(JSON.stringify(everything));
		expect(unwrap(world.load())).toEqual(everything);
	});

	it('treats an empty file and empty sections as unset', async () => {
		await using nothing = await createWorld('');
		await using hollow = await createWorld('# mine\nrunner:\nhub:\n  reconnect:\n');
		expect(unwrap(hollow.load())).toEqual(unwrap(nothing.load()));
	});

	it('expands ~/ to the home directory, and does not split a command string into words', async () => {
		await using world = await createWorld('projects: {roots: [~/code]}\nagents: {pi: {command: "/opt/my pi"}}');
		const config = unwrap(world.load());
		expect(config.projects.roots).toEqual(['/home/me/code']);
		expect(config.agents.pi).toEqual({ command: ['/opt/my pi'], env: {} });
	});
});

describe('errors that name the key, the value and the allowed values', () => {
	const wrong: [string, string][] = [
		['runner: {port: abc}', 'runner.port in FILE is "abc"; it must be a whole number from 0 to 65535.'],
		['runner: {port: 65536}', 'runner.port in FILE is 65536; it must be a whole number from 0 to 65535.'],
		['runner: {prot: 1}', 'runner.prot in FILE is not known to Roost; allowed there: name, port, host.'],
		['runner: 5', 'runner in FILE is 5; it must be a map with the keys name, port, host.'],
		['gate: {mode: loose}', 'gate.mode in FILE is "loose"; it must be observe or enforce.'],
		['sdk: {settingSources: [evil]}', 'sdk.settingSources.0 in FILE is "evil"; it must be one of user, project, local.'],
		['projects: {roots: [code]}', 'projects.roots.0 in FILE is "code"; it must be an absolute path, or one that begins with ~/.'],
		['projects: {roots: code}', 'projects.roots in FILE is "code"; it must be a list of paths.'],
		['hub: {accepts: {read: signed}}', 'hub.accepts.read in FILE is "signed"; it must be none or role.'],
		['hub: {url: "file:///x"}', 'hub.url in FILE is "file:///x"; it must be an address such as wss://hub.example.com.'],
		['hub: {enabled: "yes"}', 'hub.enabled in FILE is "yes"; it must be true or false'],
		[
			'agents: {claude: {command: []}}',
			'command in FILE is a list; it must be a program, or a list of a program and its arguments.',
		],
		['agents: {../x: {command: y}}', 'agents.../x in FILE cannot be a key; it must be the id of an agent'],
		['runner: {name: }', 'runner.name in FILE is null; it must be a text that is not empty.'],
		...[
			'http://host.example',
			'https://host.example/',
			'https://host.example:443',
			'https://HOST.example',
			'https://host.example.',
			'https://user@host.example',
			'https://*.example',
			'host.example',
			'null',
		].map((origin): [string, string] => [
			`web: {origins: ["${origin}"]}`,
			`web.origins.0 in FILE is "${origin}"; it must be an origin such as https://host.tailnet.ts.net: https, a host in lower case, nothing after it.`,
		]),
		...['https://a.example', 'A.example', 'a.example/x', '*.example', 'u@a.example'].map((host): [string, string] => [
			`push: {hosts: ["${host}"]}`,
			`push.hosts.0 in FILE is "${host}"; it must be a host in lower case, such as push.example.com.`,
		]),
		['web: {origins: https://a.example}', 'it must be a list of origins such as https://host.tailnet.ts.net.'],
		['__proto__: {runner: 1}', '__proto__ in FILE is not known to Roost'],
		['constructor: 1', 'constructor in FILE is not known to Roost'],
		['- runner', 'FILE must be a map of keys'],
		['runner: [', 'FILE is not valid YAML: '],
		['gate: {}\ngate: {}', 'FILE is not valid YAML: Map keys must be unique at line 2'],
		['gate: !run x', 'FILE is not valid YAML: Unresolved tag: !run'],
	];
	it.each(wrong)('%s', async (yaml, sentence) => {
		await using world = await createWorld(yaml);
		const error = unwrapError(world.load());
		expect(error).toMatchObject({ code: 'usage', message: expect.stringContaining(sentence.replace('FILE', world.file)) });
	});

	it('reports all errors at once', async () => {
		await using world = await createWorld('runner: {port: -1}\ngate: {mode: x}');
		expect(unwrapError(world.load()).message).toMatch(/runner\.port.*gate\.mode/);
	});

	it('never shows a secret', async () => {
		await using world = await createWorld('auth: {token: hunter2}\nagents: {claude: {env: {KEY: [hunter2]}}}');
		const { message } = unwrapError(world.load());
		expect(message).toContain('auth.token in');
		expect(message).toContain('a text of 7 characters');
		expect(message).toContain('agents.claude.env.KEY');
		expect(message).not.toContain('hunter2');
	});

	it('rejects a small file that expands to a huge one', async () => {
		const bomb = Array.from({ length: 12 }, (_, at) => `k${at}: &k${at} [${`*k${at - 1}, `.repeat(at ? 9 : 0)}x]`).join('\n');
		await using world = await createWorld(bomb);
		expect(unwrapError(world.load())).toMatchObject({ code: 'usage', message: expect.stringContaining('too many aliases') });
	});
});

describe('rejection of keys without an effect', () => {
	it.each([
		['runner: {id: r1}', 'runner.id in FILE has no effect: a runner makes its ID once and keeps it, so remove the key.'],
		[
			'buffer: {storagePath: /x}',
			'buffer in FILE has no effect: every event is kept in roost.db under ROOST_HOME, so remove the key.',
		],
		[
			'runtime: {printCommand: claude}',
			'runtime.printCommand in FILE has no effect: remove the key; "roost run --agent" chooses the agent of a run.',
		],
		[
			'agents: {cluade: {env: {A: b}}}',
			'agents.cluade in FILE has no effect: Roost knows no agent cluade: choose one of claude, codex, pi, copilot, or name the program as agents.cluade.command.',
		],
	])('%s', async (yaml, sentence) => {
		await using world = await createWorld(yaml);
		expect(unwrapError(world.load())).toMatchObject({ code: 'usage', message: sentence.replace('FILE', world.file) });
	});

	it('excludes an unknown agent that is configured with its program', async () => {
		await using world = await createWorld('agents: {gemini: {command: [gemini, --acp], env: {A: b}}, pi: {env: {C: d}}}');
		expect(unwrap(world.load()).agents).toMatchObject({ gemini: { env: { A: 'b' } }, pi: { env: { C: 'd' } } });
	});

	it('covers exactly the agents of KNOWN_AGENTS', () => {
		expect(AGENT_IDS).toEqual(KNOWN_AGENTS.map(({ id }) => id));
	});
});

describe('precedence of the environment over the file and of flags over both', () => {
	const yaml = 'runner: {port: 1, host: a.example}\nhub: {url: "ws://file"}\ngate: {mode: enforce}';

	it('applies to every variable', async () => {
		await using world = await createWorld(yaml);
		const env = {
			ROOST_PORT: '2',
			ROOST_HOST: '127.0.0.9',
			ROOST_AUTH_TOKEN: TOKEN,
			ROOST_HUB_URL: 'ws://env',
			ROOST_GATE: 'observe',
		};
		expect(unwrap(world.load(env))).toMatchObject({
			runner: { port: 2, host: '127.0.0.9' },
			auth: { token: TOKEN },
			hub: { url: 'ws://env' },
			gate: { mode: 'observe' },
		});
	});

	it('applies to every flag', async () => {
		await using world = await createWorld(yaml);
		const env = { ROOST_PORT: '2', ROOST_GATE: 'observe' };
		expect(unwrap(world.load(env, { port: '3', enforce: true }))).toMatchObject({
			runner: { port: 3 },
			gate: { mode: 'enforce' },
		});
		expect(unwrap(world.load(env, { enforce: false }))).toMatchObject({ runner: { port: 2 }, gate: { mode: 'observe' } });
	});

	it('ignores an empty variable', async () => {
		await using world = await createWorld(yaml);
		expect(unwrap(world.load({ ROOST_PORT: '', ROOST_AUTH_TOKEN: '', ROOST_GATE: '' }))).toEqual(unwrap(world.load()));
	});

	it('names the variable or the flag in an error', async () => {
		await using world = await createWorld('');
		expect(unwrapError(world.load({ ROOST_PORT: '80x' })).message).toBe(
			'ROOST_PORT is "80x"; it must be a whole number from 0 to 65535.',
		);
		expect(unwrapError(world.load({ ROOST_GATE: 'off' })).message).toBe('ROOST_GATE is "off"; it must be observe or enforce.');
		expect(unwrapError(world.load({ ROOST_PORT: '1' }, { port: '1e3' })).message).toContain('--port is "1e3"');
		const short = unwrapError(world.load({ ROOST_AUTH_TOKEN: 'hunter2' })).message;
		expect(short).toMatch(/^ROOST_AUTH_TOKEN is a text of 7 characters; it must be a text of 32 /);
	});

	it('still rejects a section that is not a map', async () => {
		await using world = await createWorld('runner: 5');
		expect(unwrapError(world.load({ ROOST_PORT: '2' })).message).toContain('runner in');
	});
});

describe('configuration file', () => {
	it('is read from ROOST_HOME, else the XDG directory, else the home directory', async () => {
		await using temp = await createTempDir();
		const nameAt = (path: string) => write(join(temp.path, path), `runner: {name: ${path.split('/')[0]}}`);
		nameAt('roost/config.yaml');
		nameAt('xdg/roost/config.yaml');
		nameAt('home/.config/roost/config.yaml');
		const [ROOST_HOME, XDG_CONFIG_HOME, HOME] = ['roost', 'xdg', 'home'].map((name) => join(temp.path, name));
		expect(unwrap(loadConfig({ env: { ROOST_HOME, XDG_CONFIG_HOME, HOME } })).runner.name).toBe('roost');
		expect(unwrap(loadConfig({ env: { XDG_CONFIG_HOME, HOME } })).runner.name).toBe('xdg');
		expect(unwrap(loadConfig({ env: { HOME } })).runner.name).toBe('home');
	});

	it('may be a symlink', async () => {
		await using temp = await createTempDir();
		write(join(temp.path, 'dotfiles.yaml'), 'runner: {name: linked}');
		symlinkSync(join(temp.path, 'dotfiles.yaml'), join(temp.path, 'config.yaml'));
		expect(unwrap(loadConfig({ env: { ROOST_HOME: temp.path } })).runner.name).toBe('linked');
	});

	it('is rejected when it contains the token and others can read it', async () => {
		await using world = await createWorld(`auth: {token: ${TOKEN}}`);
		expect(unwrap(world.load()).auth.token).toBe(TOKEN);
		for (const mode of [0o640, 0o604]) {
			chmodSync(world.file, mode);
			expect(unwrapError(world.load())).toMatchObject({ code: 'unsafe_path', message: expect.stringContaining('chmod 600') });
			// A token from another source does not make the file's permissions acceptable.
			expect(unwrapError(world.load({ ROOST_AUTH_TOKEN: 'e'.repeat(32) }))).toMatchObject({ code: 'unsafe_path' });
		}
	});

	it('may be readable by others without a secret, but never world-writable', async () => {
		await using world = await createWorld('runner: {name: open}');
		chmodSync(world.file, 0o644);
		expect(unwrap(world.load()).runner.name).toBe('open');
		chmodSync(world.file, 0o646);
		expect(unwrapError(world.load())).toMatchObject({ code: 'unsafe_path' });
	});

	it.runIf(process.getuid?.() === 0)('is rejected when it belongs to another user', async () => {
		await using world = await createWorld('runner: {name: theirs}');
		chownSync(world.file, 65_534, 65_534);
		expect(unwrapError(world.load())).toMatchObject({ code: 'unsafe_path' });
	});

	it('is rejected when it is a directory or a pipe', async () => {
		await using temp = await createTempDir();
		const file = join(temp.path, 'config.yaml');
		mkdirSync(file);
		expect(unwrapError(loadConfig({ env: { ROOST_HOME: temp.path } })).code).toBe('unsafe_path');
		rmdirSync(file);
		execFileSync('mkfifo', [file]);
		expect(unwrapError(loadConfig({ env: { ROOST_HOME: temp.path } })).code).toBe('unsafe_path');
	});
});

describe('hostile repository', () => {
	it('cannot configure anything, wherever it puts a file', async () => {
		await using temp = await createTempDir();
		const home = join(temp.path, 'home');
		const repository = join(temp.path, 'repository');
		mkdirSync(home);
		const evil = 'hub: {enabled: true, url: "wss://evil.example"}\ngate: {mode: observe}\nagents: {claude: {command: /evil}}\n';
		const places = ['', '.roost/', 'roost/', '.config/roost/', '.config/', 'sub/'].flatMap((directory) =>
			['config.yaml', 'roost.yaml', '.roost.yaml', 'runner.config.yaml'].map((name) => join(repository, directory, name)),
		);
		for (const place of places) write(place, evil);
		write(join(repository, '.env'), 'ROOST_HUB_URL=wss://evil.example\n');
		const clean = unwrap(loadConfig({ env: { HOME: home } }));
		const relative = ['.', '.config'].map((XDG_CONFIG_HOME) => ({ HOME: home, XDG_CONFIG_HOME }));
		const environments: Record<string, string>[] = [{ HOME: home }, ...relative];
		for (const env of environments) expect(loadFrom(join(repository, 'sub'), env)).toEqual({ ok: true, value: clean });
		for (const env of environments) expect(loadFrom(repository, env)).toEqual({ ok: true, value: clean });
	});

	it('cannot be reached by a relative ROOST_HOME', () => {
		expect(unwrapError(loadConfig({ env: { ROOST_HOME: '.' } }))).toMatchObject({ code: 'usage' });
	});
});

/** In a separate process, because the working directory is shared by the whole process. */
function loadFrom(cwd: string, env: Record<string, string>): unknown {
	const script = `import { CONFIG_VARIABLES, loadConfig } from ${JSON.stringify(import.meta.resolve('./load-config.ts'))};
		process.stdout.write(JSON.stringify(loadConfig({ env: process.env })));`;
	const args = ['--conditions=source', '--input-type=module', '--eval', script];
	return JSON.parse(execFileSync(process.execPath, args, { cwd, env, encoding: 'utf8' }));
}

async function createWorld(yaml: string) {
	const temp = await createTempDir();
	const file = join(temp.path, 'config.yaml');
	write(file, yaml);
	const load = (env: NodeJS.ProcessEnv = {}, flags: ConfigFlags = {}) =>
		loadConfig({ env: { ROOST_HOME: temp.path, HOME: '/home/me', SHELL: '/bin/zsh', ...env }, flags });
	return { ...temp, file, load };
}

function write(path: string, text: string): void {
	mkdirSync(dirname(path), { recursive: true });
	writeFileSync(path, text, { mode: 0o600 });
}
