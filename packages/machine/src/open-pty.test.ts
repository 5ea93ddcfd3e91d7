import { isRunning } from '@roost/testkit/rigs/live-processes';
import { programIn } from '@roost/testkit/rigs/runner/test-terminals';
import { createTempDir } from '@roost/testkit/rigs/temp-dir';
import { unwrap } from '@roost/testkit/rigs/unwrap';
import { waitFor } from '@roost/testkit/rigs/wait-for';
import { describe, expect, it } from 'vitest';
import { openPty } from './open-pty.ts';
import type { TerminalEnd } from './terminal-process.ts';

async function open(...argv: [string, ...string[]]) {
	const { path, ...temp } = await createTempDir();
	const process = unwrap(openPty(programIn(path, ...argv)));
	const chunks: Buffer[] = [];
	const ends: TerminalEnd[] = [];
	process.onBytes((bytes) => chunks.push(Buffer.from(bytes)));
	process.onExit((end) => ends.push(end));
	const text = () => Buffer.concat(chunks).toString('latin1');
	return {
		process,
		ends,
		text,
		shows: (words: string | RegExp) =>
			waitFor(() => text().match(words) ?? undefined, {
				what: String(words),
				seen: () => text().slice(-300),
			}),
		ended: () => waitFor(() => ends[0], { what: 'its end', seen: () => text().slice(-300) }),
		async [Symbol.asyncDispose]() {
			await process.kill();
			await temp[Symbol.asyncDispose]();
		},
	};
}

describe('program in a PTY', () => {
	it('gets its arguments literally, and no Roost variables', async () => {
		await using world = await open('/bin/sh', '-c', 'printf "%s|" "$@"; printf "<%s>" "$ROOST_HOME"', 'name', 'a b', '$(x)', '');
		await world.ended();
		expect(world.text()).toBe('a b|$(x)||<>');
	});

	it('receives raw bytes unchanged', async () => {
		await using world = await open('/bin/sh', '-c', 'stty raw -echo; printf ready; head -c 4 | od -An -tx1');
		await world.shows('ready');
		world.process.write(Uint8Array.from([0xff, 0x00, 0xc3, 0x28]));
		await world.shows('ff 00 c3 28');
	});

	it('reports its exit once, also to later listeners', async () => {
		await using world = await open('/bin/sh', '-c', 'exit 12');
		expect(await world.ended()).toEqual({ exitCode: 12 });
		const later: TerminalEnd[] = [];
		world.process.onExit((end) => later.push(end));
		expect(later).toEqual([{ exitCode: 12 }]);
		expect(world.ends).toHaveLength(1);
	});

	it('accepts input while paused, and loses no output when it exits', async () => {
		await using world = await open(
			'/bin/sh',
			'-c',
			'stty raw -echo; printf ready; read -r go; printf "%4000s" "" | tr " " x; printf END',
		);
		await world.shows('ready');
		world.process.pause();
		world.process.write(Buffer.from('go\n'));
		await world.ended();
		expect(world.text()).toMatch(/x{4000}END$/);
	});

	it('delivers heavy output completely and in order, even if paused repeatedly', async () => {
		await using world = await open('/bin/sh', '-c', 'seq 1 300000');
		let pieces = 0;
		world.process.onBytes(() => {
			pieces++;
			if (pieces % 5 !== 0) return;
			world.process.pause();
			setImmediate(world.process.resume);
		});
		let atEnd = '';
		world.process.onExit(() => {
			atEnd = world.text();
		});
		await world.ended();
		expect(atEnd.split('\r\n')).toEqual([...Array.from({ length: 300_000 }, (_, line) => String(line + 1)), '']);
	});

	it('ends with its descendants, even if they ignore signals', async () => {
		await using world = await open(
			'/bin/sh',
			'-c',
			"trap '' HUP TERM; (trap '' HUP TERM; echo child $$; exec sleep 300) & setsid -f true; echo pid $!; wait",
		);
		const pid = Number((await world.shows(/pid (\d+)/))[1]);
		await world.process.kill();
		expect(await isRunning(pid)).toBe(false);
		expect(await world.ended()).toEqual({ signal: 9 });
	});

	it('exits at once or reports an error if it cannot be started', async () => {
		const opened = openPty(programIn('/', '/no/such/program'));
		if (!opened.ok) {
			expect(opened.error.code).toBe('cannot_start');
			return;
		}
		const ends: TerminalEnd[] = [];
		opened.value.onExit((end) => ends.push(end));
		const end = await waitFor(() => ends[0], { what: 'its end' });
		expect(end.exitCode).not.toBe(0);
	});
});
