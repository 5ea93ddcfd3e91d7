import { mkdir, truncate } from 'node:fs/promises';
import { join } from 'node:path';
import { startProgram } from '@roost/testkit/rigs/program';
import { putFiles, putLinks } from '@roost/testkit/rigs/put-files';
import { createTempDir } from '@roost/testkit/rigs/temp-dir';
import { describe, expect, it } from 'vitest';
import { findHookSwitch } from '../copilot/repository.ts';
import { findKind } from '../kinds.ts';
import { describeRepository } from './describe-repository.ts';

const describeFor = (agent: string, cwd: string) =>
	describeRepository(findKind(agent)?.observed?.repository ?? expect.fail(agent), cwd);

const SECRET = 'sk-secret-value';
const CLAUDE = {
	permissions: {
		allow: ['Bash', 'Edit'],
		ask: ['WebFetch'],
		deny: [],
		defaultMode: 'bypassPermissions',
		additionalDirectories: ['/'],
	},
	hooks: { PreToolUse: [{ hooks: [{ type: 'command', command: SECRET }] }] },
	env: { TOKEN: SECRET },
	apiKeyHelper: SECRET,
	statusLine: { type: 'command', command: SECRET },
	enableAllProjectMcpServers: true,
	enabledPlugins: { 'x@y': true },
};
const FILES = {
	'.git/HEAD': '',
	'.claude/settings.json': CLAUDE,
	'.claude/settings.local.json': { permissions: { allow: ['Bash'] } },
	'.claude/agents/helper.md': SECRET,
	'.mcp.json': { mcpServers: { tools: { command: SECRET } } },
	'.codex/config.toml': `approval_policy = "never"\n"quoted key" = "${SECRET}"\nnotify.program = ["${SECRET}"]\n[mcp_servers.evil]\ncommand = "${SECRET}"\n[[hooks.PreToolUse]]\n`,
	'.codex/hooks.json': { hooks: { Stop: [{}] } },
	'.codex/rules/all.rules': SECRET,
	'.github/hooks/x.json': { hooks: SECRET },
	'.github/extensions/evil/extension.mjs': SECRET,
	'.github/copilot/settings.json': { disableAllHooks: true },
	'.github/mcp.json': { mcpServers: { more: {} } },
	'.pi/settings.json': { extensions: ['./x.ts'], packages: [SECRET], shellCommandPrefix: SECRET },
	'.pi/extensions/evil.ts': SECRET,
	'.pi/SYSTEM.md': SECRET,
	'.agents/skills/deploy/SKILL.md': SECRET,
};

describe('repository configuration for an agent', () => {
	it.each([
		[
			'claude',
			[
				'.claude/settings.json: permissions (allow: 2, ask: 1, deny: 0, defaultMode, additionalDirectories: 1), hooks (PreToolUse: 1), env (TOKEN), apiKeyHelper, statusLine (type, command), enableAllProjectMcpServers, enabledPlugins (x@y)',
				'.claude/settings.local.json: permissions (allow: 1)',
				'.mcp.json: mcpServers (tools)',
				'.claude/agents: helper.md',
			],
		],
		[
			'codex',
			[
				'.codex/config.toml: approval_policy, "quoted key", notify.program, mcp_servers.evil, hooks.PreToolUse',
				'.codex/hooks.json: hooks (Stop: 1)',
				'.codex/rules: all.rules',
				'.agents/skills: deploy',
			],
		],
		[
			'copilot',
			[
				'.github/hooks: x.json',
				'.github/extensions: evil',
				'.github/copilot/settings.json: disableAllHooks',
				expect.stringMatching(/^\.claude\/settings\.json: permissions/),
				'.claude/settings.local.json: permissions (allow: 1)',
				'.mcp.json: mcpServers (tools)',
				'.github/mcp.json: mcpServers (more)',
				'.claude/agents: helper.md',
				'.agents/skills: deploy',
			],
		],
		[
			'pi',
			[
				'.pi/settings.json: extensions: 1, packages: 1, shellCommandPrefix',
				'.pi/extensions: evil.ts',
				'.pi/SYSTEM.md: present',
				'.agents/skills: deploy',
			],
		],
	] as const)('is listed for %s by name and never by value', async (agent, lines) => {
		await using temp = await createTempDir();
		await putFiles(temp.path, FILES);
		expect(await describeFor(agent, temp.path)).toEqual(lines);
		await mkdir(join(temp.path, 'below'));
		expect(await describeFor(agent, join(temp.path, 'below'))).toEqual(lines);
		expect(JSON.stringify(await describeFor(agent, temp.path))).not.toContain(SECRET);
	});

	it('is empty if the repository configures nothing or the folder is missing', async () => {
		await using temp = await createTempDir();
		expect(await describeFor('claude', temp.path)).toEqual([]);
		expect(await describeFor('pi', join(temp.path, 'missing'))).toEqual([]);
	});

	it('is shown as plain lines of limited length, whatever the names contain', async () => {
		await using temp = await createTempDir();
		const hostile = '\u001b]0;owned\u0007\u202e\n';
		const many = Object.fromEntries(Array.from({ length: 5000 }, (_, at) => [`${hostile}${at}`.padEnd(300, 'x'), {}]));
		await putFiles(temp.path, { '.claude/settings.json': { hooks: many, ...many }, '.mcp.json': 'not json' });
		await putFiles(temp.path, { '.claude/settings.local.json': '' });
		await truncate(join(temp.path, '.claude/settings.local.json'), 1024 ** 4);
		await putLinks(temp.path, { '.claude/commands': '/dev', '.claude/agents': '/dev/zero' });
		const lines = await describeFor('claude', temp.path);
		expect(lines.every((line) => line.length <= 401 && !/[\p{Cc}\u202e]/u.test(line))).toBe(true);
		expect(lines).toEqual(expect.arrayContaining([expect.stringContaining('settings.local.json: not listed because')]));
		expect(lines).toContain('.mcp.json: not listed because it is not JSON');
	});
});

it('does not block on a repository settings file that is a pipe', async () => {
	await using temp = await createTempDir();
	await mkdir(join(temp.path, '.claude'));
	const pipe = join(temp.path, '.claude', 'settings.json');
	await using made = await startProgram(['mkfifo', pipe], { cwd: '/', env: { PATH: process.env.PATH ?? '' } });
	expect(await made.waitForExit(60_000)).toMatchObject({ code: 0 });
	expect(await findHookSwitch(temp.path)).toContain('may switch every hook of copilot off');
	expect(await describeFor('claude', temp.path)).toEqual(['.claude/settings.json: not listed because it is not a plain file']);
});
