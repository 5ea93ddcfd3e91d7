import { spawnSync } from 'node:child_process';
import {
	chmodSync,
	closeSync,
	existsSync,
	openSync,
	readdirSync,
	readFileSync,
	readlinkSync,
	rmSync,
	statSync,
	symlinkSync,
	writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { createTempDir } from '@roost/testkit/rigs/temp-dir';
import { unwrap } from '@roost/testkit/rigs/unwrap';
import { describe, expect, it } from 'vitest';
import { createLogWriter, isLogAt, rotateLog } from './rotate-log.ts';

describe('log rotation on open', () => {
	it('rotates a large log and older ones, and keeps it private', async () => {
		await using temp = await createTempDir();
		const path = join(temp.path, 'runner.log');
		writeFileSync(`${path}.1`, 'older');
		writeFileSync(path, 'large!');
		chmodSync(path, 0o600);
		unwrap(rotateLog(path, 5));
		expect(existsSync(path)).toBe(false);
		expect(readFileSync(`${path}.2`, 'utf8')).toBe('older');
		expect(readFileSync(`${path}.1`, 'utf8')).toBe('large!');
		expect(statSync(`${path}.1`).mode & 0o777).toBe(0o600);
	});

	it('does not rotate a small or missing log', async () => {
		await using temp = await createTempDir();
		const path = join(temp.path, 'runner.log');
		unwrap(rotateLog(path, 5));
		writeFileSync(path, 'small');
		unwrap(rotateLog(path, 5));
		expect(readFileSync(path, 'utf8')).toBe('small');
		expect(existsSync(`${path}.1`)).toBe(false);
	});

	it('does not rotate a symlink', async () => {
		await using temp = await createTempDir();
		const path = join(temp.path, 'runner.log');
		writeFileSync(join(temp.path, 'other'), 'somebody else’s');
		symlinkSync(join(temp.path, 'other'), path);
		unwrap(rotateLog(path, 5));
		expect(existsSync(path)).toBe(true);
	});

	it('reports an error when it cannot rotate', async () => {
		await using temp = await createTempDir();
		writeFileSync(join(temp.path, 'file'), '');
		expect(rotateLog(join(temp.path, 'file', 'runner.log'), 5)).toMatchObject({ ok: false, error: { code: 'cannot_start' } });
	});
});

describe('log rotation by the writing process', () => {
	it('keeps every line whole, in order and private, including stderr output of Node', async () => {
		await using temp = await createTempDir();
		const path = join(temp.path, 'runner.log');
		const file = openSync(path, 'a', 0o600);
		const script = `import { createLogWriter } from ${JSON.stringify(import.meta.resolve('./rotate-log.ts'))};
			const write = createLogWriter({ file: 1, path: process.argv[1], maxBytes: 15_000 });
			for (let at = 0; at < 1000; at += 1) {
				write('line ' + at + ' ' + 'x'.repeat(40) + '\\n');
				if (at % 100 === 0) console.error('stderr ' + at);
			}`;
		const argv = ['--conditions=source', '--input-type=module', '--eval', script, path];
		const { status } = spawnSync(process.execPath, argv, { stdio: ['ignore', file, file] });
		closeSync(file);
		expect(status).toBe(0);
		const names = ['runner.log.3', 'runner.log.2', 'runner.log.1', 'runner.log'];
		expect(readdirSync(temp.path).sort()).toEqual(names.toSorted());
		for (const name of names) {
			expect(statSync(join(temp.path, name)).mode & 0o777).toBe(0o600);
			expect(statSync(join(temp.path, name)).size).toBeLessThan(15_100);
		}
		const lines = names.flatMap((name) => readFileSync(join(temp.path, name), 'utf8').trimEnd().split('\n'));
		const numbers = lines.filter((line) => line.startsWith('line')).map((line) => Number(/^line (\d+) x{40}$/.exec(line)?.[1]));
		expect(numbers).toEqual(Array.from({ length: 1000 }, (_, at) => at));
		expect(lines.filter((line) => line.startsWith('stderr'))).toEqual(
			Array.from({ length: 10 }, (_, at) => `stderr ${at * 100}`),
		);
	});

	it('follows no symlink, neither at its path nor at that of an older file', async () => {
		await using temp = await createTempDir();
		const [path, victim] = [join(temp.path, 'runner.log'), join(temp.path, 'victim')];
		writeFileSync(victim, 'not a log');
		for (const at of [1, 2, 3]) symlinkSync(victim, `${path}.${at}`);
		const file = openSync(path, 'a', 0o600);
		const write = createLogWriter({ file, path, maxBytes: 10 });
		write('more than ten bytes\n');
		expect(readFileSync(`${path}.1`, 'utf8')).toBe('more than ten bytes\n');
		rmSync(path);
		symlinkSync(victim, path);
		expect(isLogAt({ file, path })).toBe(false);
		write('more than ten bytes again\n');
		expect(statSync(`/dev/fd/${file}`).size).toBe(0);
		closeSync(file);
		expect([readFileSync(victim, 'utf8'), readlinkSync(path)]).toEqual(['not a log', victim]);
	});

	it('continues when the disk is full', () => {
		const file = openSync('/dev/full', 'a');
		const write = createLogWriter({ file, path: '/dev/full' });
		for (let at = 0; at < 3; at += 1) write('a line\n');
		closeSync(file);
	});
});
