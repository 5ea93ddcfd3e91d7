// roost rules as a user runs it: scopes, presets, import, expiry, and the decision for each part of a line.
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { startProgram } from '@roost/testkit/rigs/program';
import { roostArgv } from '@roost/testkit/rigs/runner/roost-cli';
import { createTempDir } from '@roost/testkit/rigs/temp-dir';
import { waitFor } from '@roost/testkit/rigs/wait-for';
import { describe, expect, it } from 'vitest';

describe('roost rules', () => {
	it('lists rules of other projects separately, and marks in JSON which rules apply here', async () => {
		await using world = await twoProjects();
		await world.in('shop', 'rules', 'add', 'allow', 'Bash', '--pattern', 'npm test *');
		await world.in('bank', 'rules', 'add', 'deny', 'Bash', '--pattern', 'rm *');
		await world.in('bank', 'rules', 'add', 'ask', 'WebFetch', '--scope', 'user');
		const { stdout } = await world.in('shop', 'rules');
		const [header, ...lines] = stdout.trimEnd().split('\n');
		expect(header).toMatch(/^RULE +DECISION +TOOL +PATTERN +SCOPE +PROJECT +EXPIRES +BY$/);
		expect(lines).toEqual([
			expect.stringMatching(/allow +Bash +npm test \* +project +\S+\/shop +never/),
			expect.stringMatching(/ask +WebFetch +user +never/),
			'',
			'Not applied here (expired, or of another project or session):',
			expect.stringMatching(/deny +Bash +rm \* +project +\S+\/bank +never/),
		]);
		const listed = JSON.parse((await world.in('shop', 'rules', '--json')).stdout);
		expect(listed.map(({ argsPattern, appliesHere }: Record<string, unknown>) => [argsPattern, appliesHere])).toEqual([
			['npm test *', true],
			[undefined, true],
			['rm *', false],
		]);
		expect((await world.in('home', 'rules')).stdout).toContain('/shop');
	});

	it('shows the decision for each part of a command line', async () => {
		await using world = await twoProjects();
		const test = (command: string) => world.in('shop', 'rules', 'test', '--tool', 'Bash', '--input', JSON.stringify({ command }));
		await world.in('shop', 'rules', 'add', 'allow', 'Bash', '--pattern', 'touch *');
		const { stdout } = await test('touch a && echo b');
		expect(stdout).toMatch(
			/^No rule decides: you would be asked\.\n\nDECISION +PART +RULE\nallow +touch a +\S+: allow Bash touch \* .*\nnone +echo b +no rule\n$/,
		);
		await world.in('shop', 'rules', 'add', 'allow', 'Bash', '--pattern', 'echo *', '--scope', 'user');
		expect((await test('touch a && echo b')).stdout).toMatch(
			/^allow, by rules \S+: allow Bash touch \* .*; \S+: allow Bash echo \* user\n/,
		);
		await world.in('shop', 'rules', 'add', 'allow', 'Bash', '--pattern', 'export *');
		expect((await test('export A=1; echo b')).stdout).toContain(
			'The rules do not add up: export changes how the rest of the line runs.',
		);
	});

	it('shows the rules of a preset, and adds them once and only with --yes', async () => {
		await using world = await twoProjects();
		const refused = await world.in('shop', 'rules', 'add', '--preset', 'git');
		expect(refused).toMatchObject({ code: 2, stderr: expect.stringContaining('run it again with --yes to add these rules') });
		expect(refused.stdout).toMatch(/allow +Bash +git status \* +project \S+\/shop/);
		expect(JSON.parse((await world.in('shop', 'rules', '--json')).stdout)).toEqual([]);
		expect((await world.in('shop', 'rules', 'add', '--preset', 'git', '--yes')).stdout).toMatch(/\nAdded 14 rules\.\n$/);
		const again = await world.in('shop', 'rules', 'add', '--preset', 'git', '--yes');
		expect(again.stdout).toContain('Already there: 14 rules.\nAdded 0 rules.\n');
		expect(JSON.parse((await world.in('shop', 'rules', '--json')).stdout)).toHaveLength(14);
	});

	it('imports the permission rules of the user but not of a repository, and lists skipped ones', async () => {
		await using world = await twoProjects();
		const permissions = { allow: ['Bash(npm run test:*)', 'Read(./x)'], deny: ['Read(~/.ssh/**)'], ask: ['mcp__github'] };
		await world.put('home/.claude/settings.json', { permissions });
		await world.put('shop/.claude/settings.json', { permissions: { allow: ['Bash'] } });
		const { stdout, code } = await world.in('shop', 'rules', 'import', 'claude', '--yes');
		expect(code).toBe(0);
		expect(stdout).toMatch(/^Permission rules in \S+\/home\/\.claude\/settings\.json\n/);
		expect(stdout).toContain('Skipped allow Read(./x): its path depends on the folder that Claude works in.\nAdded 3 rules.\n');
		expect(JSON.parse((await world.in('shop', 'rules', '--json')).stdout)).toMatchObject([
			{ decision: 'deny', argsPattern: join(world.path, 'home/.ssh/*'), scope: 'user' },
			{ decision: 'ask', tool: 'mcp__github__*', scope: 'user' },
			{ decision: 'allow', tool: 'Bash', argsPattern: 'npm run test *', scope: 'user' },
		]);
	});

	it('lets a rule expire and shows that, and the record still verifies', async () => {
		await using world = await twoProjects();
		const added = await world.in('shop', 'rules', 'add', 'allow', 'Bash', '--pattern', 'ls *', '--for', '2h');
		expect(added.stdout).toMatch(/^Rule \S+: allow Bash ls \* project \S+\/shop, expires in 2h\n$/);
		await world.in('shop', 'rules', 'add', 'allow', 'Bash', '--pattern', 'pwd', '--for', '1s');
		const input = JSON.stringify({ command: 'pwd' });
		await waitFor(async () => /pwd .* expired/.test((await world.in('shop', 'rules')).stdout) || undefined, {
			what: 'the end of it',
		});
		expect((await world.in('shop', 'rules', 'test', '--tool', 'Bash', '--input', input)).stdout).toContain('No rule decides');
		expect((await world.in('shop', 'rules')).stdout).toMatch(/ls \* +project +\S+ +in 2h /);
		expect(await world.in('shop', 'verify')).toMatchObject({ code: 0 });
	});

	it.each([
		[['add'], 'Name a decision and a tool, or a --preset'],
		[['add', '--preset', 'everything', '--yes'], '--preset takes read-only, node, python, git'],
		[['add', 'allow', 'Bash', '--preset', 'git', '--yes'], '--preset brings its own rules'],
		[['import', 'codex', '--yes'], 'Rules can be imported from claude'],
	])('%j exits with code 2 and a clear message', async (args, sentence) => {
		await using world = await twoProjects();
		expect(await world.in('shop', 'rules', ...args)).toMatchObject({ code: 2, stderr: expect.stringContaining(sentence) });
	});
});

async function twoProjects() {
	const temp = await createTempDir();
	for (const name of ['home', 'shop', 'bank']) await mkdir(join(temp.path, name));
	const env = { PATH: process.env.PATH ?? '', HOME: join(temp.path, 'home'), ROOST_HOME: join(temp.path, 'roost') };
	const run = async (folder: string, ...args: string[]) => {
		await using program = await startProgram(roostArgv(...args), { cwd: join(temp.path, folder), env });
		return await program.waitForExit(60_000);
	};
	return {
		path: temp.path,
		in: run,
		async put(file: string, content: object) {
			await mkdir(join(temp.path, file, '..'), { recursive: true });
			await writeFile(join(temp.path, file), JSON.stringify(content));
		},
		async [Symbol.asyncDispose]() {
			await run('home', 'down');
			await temp[Symbol.asyncDispose]();
		},
	};
}
