// Compared with the real claude: the same texts reach the model, and only trusted servers are started.
import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { say } from '@roost/testkit/fakes/model-reply';
import { scriptTurns } from '@roost/testkit/fakes/script';
import { type ClaudeRig, openClaudeRig } from '@roost/testkit/rigs/agents/claude-rig';
import { putFiles } from '@roost/testkit/rigs/put-files';
import { waitFor } from '@roost/testkit/rigs/wait-for';
import { describe, expect, it } from 'vitest';
import { readProjectServers } from '../../repository/mcp-config.ts';
import { createReadSurroundings } from './read-surroundings.ts';

/** A variable, as written in such files. */
const v = (inside: string) => `\${${inside}}`;

const TIMEOUT = { timeout: 120_000 };

describe('instructions and MCP servers for Claude', () => {
	it('contain exactly the texts that claude itself sends to the model', TIMEOUT, async () => {
		await using rig = await createRig();
		await putFiles(dirname(rig.project), INSTRUCTED);
		await rig.run(['-p', 'hi']);
		const own = sentTexts(rig, /Contents of \S.* \(.*\):/);
		const read = await readFor(rig);
		const ours = textsOf(read.instructions, /From \S.* \(written by .*\):/).map(plain);
		expect(own.length).toBeGreaterThanOrEqual(12);
		expect(new Set(ours)).toEqual(new Set(own));
		expect(ours.length).toBe(own.length);
		expect(read.leftOut).toEqual([
			'CLAUDE.md imports ../outside.md, which is left out because it lies outside the repository.',
			'.claude/rules/typescript.md is left out because it is for certain files only (src/**/*.ts).',
		]);
	});

	it('include the servers that were added with `claude mcp add`', TIMEOUT, async () => {
		await using rig = await createRig();
		await putFiles(rig.project, { 'sub/README.md': '' });
		const add = async (...args: string[]) => {
			const { code, stderr } = await rig.run(['mcp', 'add', ...args], { cwd: join(rig.project, 'sub') });
			expect(code, stderr).toBe(0);
		};
		await add('--scope', 'user', 'everywhere', '--env', `WHERE=${v('HOME')}`, '--', 'node', 'e.js', '--flag');
		await add('--scope', 'user', 'both', '--', 'node', 'user.js');
		await add('both', '--', 'node', 'local.js');
		await add('--transport', 'http', 'remote', 'http://127.0.0.1:1/mcp', '--header', `X-Key: ${v('MISSING')}`);
		const { mcpServers, leftOut } = await readFor(rig, { cwd: join(rig.project, 'sub') });
		expect(mcpServers).toEqual({
			everywhere: { type: 'stdio', command: 'node', args: ['e.js', '--flag'], env: { WHERE: rig.home } },
			both: { type: 'stdio', command: 'node', args: ['local.js'], env: {} },
			remote: { type: 'http', url: 'http://127.0.0.1:1/mcp', headers: { 'X-Key': v('MISSING') } },
		});
		expect(leftOut).toEqual(['The MCP server "remote" needs MISSING, which the agent\'s environment does not have.']);
	});

	it('include a trusted project server and no untrusted or changed one', TIMEOUT, async () => {
		await using rig = await createRig();
		const started = (name: string) => join(rig.home, name);
		const server = (name: string) => ({
			command: process.execPath,
			args: ['-e', `fs.writeFileSync(${JSON.stringify(started(name))}, '')`],
		});
		await putFiles(rig.project, {
			'.mcp.json': { mcpServers: { trusted: server('trusted'), stranger: server('stranger'), changed: server('changed') } },
			'.claude/settings.json': { enableAllProjectMcpServers: true, enabledMcpjsonServers: ['stranger'] },
		});
		const { servers } = await readProjectServers(rig.project);
		const trusted = servers.find(({ name }) => name === 'trusted')?.hash;
		const isTrusted = (project: string, name: string, hash: string) =>
			project === rig.project &&
			((name === 'trusted' && hash === trusted) || (name === 'changed' && hash === 'that of yesterday'));
		const { mcpServers, leftOut } = await readFor(rig, { isTrusted });
		expect(Object.keys(mcpServers)).toEqual(['trusted']);
		expect(leftOut.filter((sentence) => sentence.includes('not trusted'))).toEqual([
			'The project\'s MCP server "stranger" is not started because you have not trusted it: "roost mcp trust stranger" shows what it runs.',
			'The project\'s MCP server "changed" is not started because you have not trusted it: "roost mcp trust changed" shows what it runs.',
		]);
		const flags = ['--strict-mcp-config', '--mcp-config', JSON.stringify({ mcpServers }), '--setting-sources', ''];
		await rig.run(['-p', 'hi', ...flags]);
		await waitFor(() => existsSync(started('trusted')) || undefined, { what: 'the trusted server' });
		expect(existsSync(started('stranger'))).toBe(false);
		expect(existsSync(started('changed'))).toBe(false);
	});

	it('report unreadable config and folders instead of failing', async () => {
		await using rig = await createRig();
		await putFiles(rig.configDir, { '.claude.json': '{"mcpServers": ' });
		const broken = await readFor(rig);
		expect(broken.leftOut).toEqual([
			`The user's own MCP servers are left out: ${join(rig.configDir, '.claude.json')} cannot be used because it is not JSON.`,
		]);
		const nowhere = await readFor(rig, { cwd: join(rig.project, 'gone') });
		expect(nowhere).toMatchObject({
			instructions: '',
			mcpServers: {},
			leftOut: [expect.stringContaining('cannot be read (ENOENT)')],
		});
	});
});

const INSTRUCTED = {
	'CLAUDE.md': 'ABOVE the repository',
	'config/CLAUDE.md': 'USER @./more.md @~/home.md',
	'config/more.md': 'USER imports this',
	'config/rules/style.md': 'USER rule',
	'home/home.md': 'USER imports from home',
	'outside.md': 'OUTSIDE of the repository',
	'project/CLAUDE.md':
		'---\nname: x\n---\nPROJECT @docs/a.md **@docs/bold.md** `@docs/span.md` @../outside.md @docs/missing.md\n\n<!-- for people @docs/comment.md -->\n\n```\n@docs/block.md\n```\n\n- @docs/list.md\n',
	...Object.fromEntries(
		['a', 'bold', 'span', 'comment', 'block', 'list'].map((name) => [`project/docs/${name}.md`, `IMPORT ${name}`]),
	),
	...Object.fromEntries([1, 2, 3, 4, 5, 6].map((at) => [`project/docs/deep${at}.md`, `DEEP ${at} @deep${at + 1}.md`])),
	'project/.claude/CLAUDE.md': 'PROJECT, in its folder @../docs/deep1.md',
	'project/.claude/rules/all.md': 'RULE for all',
	'project/.claude/rules/more/nested.md': 'RULE nested',
	'project/.claude/rules/typescript.md': '---\npaths: src/**/*.ts\n---\nRULE for some',
	'project/CLAUDE.local.md': 'LOCAL',
	'project/AGENTS.md': 'AGENTS',
};

function createRig(): Promise<ClaudeRig> {
	return openClaudeRig({ script: scriptTurns([say('ok')], [say('ok')]) });
}

type Over = { cwd?: string; isTrusted?: (project: string, name: string, hash: string) => boolean };

function readFor(rig: ClaudeRig, { cwd = rig.project, isTrusted = () => false }: Over = {}) {
	return createReadSurroundings({ homeDir: rig.home, env: rig.env, isTrusted })(cwd);
}

/** The texts that claude adds to the first request, besides the user's prompt. */
function sentTexts(rig: ClaudeRig, heading: RegExp): string[] {
	const blocks = rig.requests[0]?.messages.flatMap(({ content }) => content) ?? [];
	const reminder = blocks.map(({ text }) => (typeof text === 'string' ? text : '')).find((text) => heading.test(text)) ?? '';
	return textsOf(reminder.replace('</system-reminder>', ''), heading).map(plain);
}

function textsOf(all: string, heading: RegExp): string[] {
	return all.split(new RegExp(heading.source, 'g')).slice(1);
}

/** Ignores differences in whitespace. */
function plain(text: string): string {
	return text.replaceAll(/\s+/g, ' ').trim();
}
