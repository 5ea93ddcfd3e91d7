// The commands that read the record, as a user runs them.
import { readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { storedLine } from '@roost/protocol/stored-line';
import { startProgram } from '@roost/testkit/rigs/program';
import { playDemoInto } from '@roost/testkit/rigs/runner/recorded-home';
import { roostArgv } from '@roost/testkit/rigs/runner/roost-cli';
import { createTempDir } from '@roost/testkit/rigs/temp-dir';
import { beforeAll, describe, expect, it } from 'vitest';

describe('record of a demo', () => {
	let world: Awaited<ReturnType<typeof playedDemo>>;
	beforeAll(async () => {
		world = await playedDemo();
		return () => world[Symbol.asyncDispose]();
	});

	it('was printed live: work, a rule decision, a denial, a subagent, a failure and an end', () => {
		expect(world.demo).toMatchObject({ code: 0, stderr: '' });
		const lines = world.demo.stdout;
		for (const shown of [
			'● Read(',
			'⚠ Permission: Bash',
			'✓ Allowed',
			'✗ Denied',
			'│ ● Grep(',
			'⎿ Bash failed',
			'✓ Run completed',
			'Session ended',
		]) {
			expect(lines).toContain(shown);
		}
	});

	it('is printed from disk exactly as it was printed live, except for the times', async () => {
		const feed = await world.roost('feed', world.id);
		expect(withoutTimes(feed.stdout.trimEnd())).toEqual(withoutTimes(world.demo.stdout.split('\n\n')[0] ?? ''));
	});

	it('prints stored lines as JSON, contiguous and valid', async () => {
		const lines = (await world.roost('feed', world.id, '--json')).stdout.trimEnd().split('\n');
		const parsed = lines.map((line) => storedLine.parse(JSON.parse(line)));
		expect(parsed.map((line) => line.offset)).toEqual(parsed.map((_, index) => index + 1));
		expect(new Set(parsed.map((line) => line.sessionId))).toEqual(new Set([world.id]));
	});

	it('can be filtered by offset, and by kind or family', async () => {
		const all = (await world.roost('feed', world.id, '--json')).stdout.trimEnd().split('\n');
		expect((await world.roost('feed', world.id, '--json', '--after', '10')).stdout.trimEnd().split('\n')).toEqual(all.slice(10));
		const decisions = (await world.roost('feed', world.id, '--json', '--kind', 'permission.*')).stdout.trimEnd().split('\n');
		expect(new Set(decisions.map((line) => JSON.parse(line).event.kind))).toEqual(
			new Set(['permission.request', 'permission.decision']),
		);
	});

	it('is found by the prefix of its id', async () => {
		expect((await world.roost('feed', world.id.slice(0, 4))).code).toBe(0);
	});

	it('is listed as a table and as JSON', async () => {
		expect((await world.roost('sessions', '--all')).stdout).toMatch(new RegExp(`SESSION .*\\n${world.id} +claude +ended`));
		expect(JSON.parse((await world.roost('sessions', '--all', '--json')).stdout)).toMatchObject([
			{ id: world.id, agent: 'claude', status: 'ended' },
		]);
	});

	it('is found by words with any characters', async () => {
		expect((await world.roost('search', 'health', 'che')).stdout).toContain(world.id);
		expect(await world.roost('search', '"', 'OR', '*', '(')).toMatchObject({ code: 0 });
		expect(JSON.parse((await world.roost('search', 'force', '--json')).stdout)[0]).toMatchObject({ sessionId: world.id });
	});

	it('is verified as a whole or by session', async () => {
		expect(await world.roost('verify')).toMatchObject({ code: 0, stdout: expect.stringContaining('The record is intact.') });
		expect(JSON.parse((await world.roost('verify', world.id, '--json')).stdout)).toMatchObject({ intact: true });
	});

	it('is verified against a saved head', async () => {
		const head = (await world.roost('verify', '--head')).stdout.trim();
		expect(head).toMatch(/^\d+-[a-z2-7]{20}$/);
		expect(await world.roost('verify', '--head', head)).toMatchObject({ code: 0, stdout: expect.stringContaining('given head') });
		expect(await world.roost('verify', '--head', `${head.slice(0, -1)}${head.endsWith('a') ? 'b' : 'a'}`)).toMatchObject({
			code: 1,
		});
		expect(await world.roost('verify', '--head', 'x')).toMatchObject({ code: 2 });
		expect(await world.roost('verify', world.id, '--head')).toMatchObject({ code: 2 });
	});

	it('is exported to a new file that only the owner can read', async () => {
		const out = join(world.path, 'out.jsonl');
		expect(await world.roost('export', world.id, '--out', out)).toMatchObject({ code: 0 });
		const [header, ...lines] = readFileSync(out, 'utf8').trimEnd().split('\n');
		expect(JSON.parse(header ?? '')).toMatchObject({ export: 1, events: lines.length, session: { id: world.id } });
		expect(lines).toEqual((await world.roost('feed', world.id, '--json')).stdout.trimEnd().split('\n'));
		expect(statSync(out).mode & 0o777).toBe(0o600);
		expect(await world.roost('verify', '--file', out)).toMatchObject({
			code: 0,
			stdout: expect.stringContaining('export is intact'),
		});
		expect(await world.roost('export', world.id, '--out', out)).toMatchObject({
			code: 2,
			stderr: expect.stringContaining('name a new file'),
		});
	});

	it('stops without an error when its reader exits early', async () => {
		await using program = await startProgram(
			['/bin/sh', '-c', '"$@" | head -n 1', 'sh', ...roostArgv('feed', world.id, '--json')],
			{ cwd: world.path, env: world.env },
		);
		expect(await program.waitForExit(60_000)).toMatchObject({ code: 0, stderr: '' });
	});
});

describe('empty record', () => {
	it.each([
		[['sessions'], 0, 'No session in this project'],
		[['sessions', '--all'], 0, 'No session yet'],
		[['search', 'x'], 0, 'No results'],
		[['verify'], 0, 'The record is intact.'],
		[['feed', 'nope'], 1, 'Session "nope" not found'],
		[['feed', 'nope', '--after', 'x'], 2, '--after takes a whole number'],
		[['feed'], 2, 'missing required argument'],
		[['search', 'x', '--limit', '0'], 2, '--limit takes a whole number'],
		[['demo', '--plain', '--speed', '-1'], 2, '--speed takes a number above 0'],
		[['demo', '--plain', '--theme', 'x'], 2, '--theme takes'],
		[['dance'], 2, "unknown command 'dance'"],
	] as const)('%j exits with code %i and a clear message', async (args, code, sentence) => {
		await using world = await emptyRecord();
		const exit = await world.roost(...args);
		expect(exit.code).toBe(code);
		expect(exit.stdout + exit.stderr).toContain(sentence);
	});

	it('prints errors as JSON with --json', async () => {
		await using world = await emptyRecord();
		expect(JSON.parse((await world.roost('feed', 'nope', '--json')).stderr)).toMatchObject({ error: { code: 'not_found' } });
	});

	it('is not opened with a relative ROOST_HOME', async () => {
		await using world = await emptyRecord();
		const env = { ...world.env, ROOST_HOME: 'relative' };
		await using program = await startProgram(roostArgv('sessions'), { cwd: world.path, env });
		expect(await program.waitForExit(60_000)).toMatchObject({ code: 2, stderr: expect.stringContaining('absolute path') });
	});
});

async function emptyRecord() {
	const temp = await createTempDir();
	const env = { PATH: process.env.PATH ?? '', HOME: temp.path, ROOST_HOME: join(temp.path, 'roost') };
	const roost = async (...args: string[]) => {
		await using program = await startProgram(roostArgv(...args), { cwd: temp.path, env });
		return await program.waitForExit(60_000);
	};
	return { path: temp.path, env, roost, [Symbol.asyncDispose]: () => temp[Symbol.asyncDispose]() };
}

async function playedDemo() {
	const world = await emptyRecord();
	const id = await playDemoInto(world.env, world.path);
	const demo = await world.roost('demo', '--plain', '--speed', '1000');
	return { ...world, demo, id };
}

function withoutTimes(lines: string): string[] {
	return lines.split('\n').map((line) => line.replace(/^\d\d:\d\d:\d\d /, ''));
}
