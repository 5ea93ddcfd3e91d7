import type { Fact } from '@roost/core/feed/mapper';
import { openPty } from '@roost/machine/open-pty';
import type { TerminalEnd } from '@roost/machine/terminal-process';
import { type SessionId, sessionId } from '@roost/protocol/ids';
import { ok } from '@roost/protocol/result';
import { isRunning } from '@roost/testkit/rigs/live-processes';
import { createManualTimers } from '@roost/testkit/rigs/manual-timers';
import { createTestTerminals, programIn } from '@roost/testkit/rigs/runner/test-terminals';
import { createTempDir } from '@roost/testkit/rigs/temp-dir';
import { unwrap } from '@roost/testkit/rigs/unwrap';
import { waitFor } from '@roost/testkit/rigs/wait-for';
import { describe, expect, it } from 'vitest';
import { createKeptTerminals } from './tmux-terminals.ts';

describe('terminals of a runner', () => {
	it('record their start and end in their session', async () => {
		await using temp = await createTempDir();
		const noted: { id: SessionId; fact: Fact }[] = [];
		await using terminals = createTestTerminals({ note: (id, fact) => noted.push({ id, fact }) > 0, newId: () => 'term-1' });
		const id = sessionId.parse('s1');
		const ended: string[] = [];
		terminals.onEnd((row) => ended.push(row.id));
		await terminals.start({ sessionId: id, program: programIn(temp.path, '/bin/sh', '-c', 'exit 3') });
		await waitFor(() => noted[1], { what: 'its end' });
		expect(noted).toEqual([
			{ id, fact: { kind: 'terminal.open', data: { terminal_id: 'term-1', cols: 80, rows: 24 } } },
			{ id, fact: { kind: 'terminal.close', data: { terminal_id: 'term-1', exit_code: 3, reason: 'the program ended' } } },
		]);
		expect(ended).toEqual(['term-1']);
	});

	it('report that the program of an unreachable one may still run, and keep it until it is closed', async () => {
		await using temp = await createTempDir();
		const lost = Promise.withResolvers<TerminalEnd>();
		const facts: Fact[] = [];
		const warned: string[] = [];
		const kept = createKeptTerminals(temp.path);
		await using terminals = createTestTerminals({
			kept,
			note: (_id, fact) => facts.push(fact) > 0,
			warn: (sentence) => warned.push(sentence),
			openProcess(_id, program) {
				const opened = openPty(program);
				const onExit = (handler: (end: TerminalEnd) => void) => {
					void lost.promise.then(handler);
					return () => {};
				};
				return opened.ok ? ok({ ...opened.value, onExit }) : opened;
			},
		});
		const program = programIn(temp.path, '/bin/cat');
		const { id } = unwrap(await terminals.start({ sessionId: sessionId.parse('s1'), program }));
		lost.resolve({ isLost: true });
		await waitFor(() => facts[1], { what: 'the fact' });
		expect(facts[1]).toMatchObject({ kind: 'terminal.close', data: { reason: expect.stringContaining('may still run') } });
		expect(warned).toEqual([expect.stringContaining('is unreachable')]);
		expect(kept.readAll()).toMatchObject([{ id }]);
		const frames: unknown[] = [];
		terminals.attach(
			id,
			{ cols: 80, rows: 24, want: 'view' },
			{ frame: (frame) => frames.push(frame), bytes: () => {}, end: () => {} },
		);
		await waitFor(() => frames[2], { what: 'the goodbye' });
		expect(frames[2]).toMatchObject({
			type: 'refused',
			final: true,
			error: { message: expect.stringContaining('may still run') },
		});
		unwrap(await terminals.close(id));
		expect(kept.readAll()).toEqual([]);
	});

	it('are kept for a moment after they end, and then forgotten', async () => {
		await using temp = await createTempDir();
		const timers = createManualTimers();
		await using terminals = createTestTerminals({ timers });
		const { id } = unwrap(await terminals.start({ program: programIn(temp.path, '/bin/sh', '-c', 'exit 0') }));
		await waitFor(() => (terminals.list().find((row) => row.id === id)?.state === 'ended' ? true : undefined), {
			what: 'its end',
		});
		timers.advance(59_999);
		expect(terminals.list()).toHaveLength(1);
		timers.advance(1);
		expect(terminals.list()).toEqual([]);
	});

	it('are killed when the runner stops', async () => {
		await using temp = await createTempDir();
		let pid = 0;
		{
			await using terminals = createTestTerminals({
				openProcess(_id, program) {
					const opened = openPty(program);
					if (opened.ok) pid = opened.value.pid;
					return opened;
				},
			});
			await terminals.start({ program: programIn(temp.path, '/bin/sh') });
			expect(await isRunning(pid)).toBe(true);
		}
		expect(await isRunning(pid)).toBe(false);
	});

	it('are limited in number', async () => {
		await using temp = await createTempDir();
		await using terminals = createTestTerminals({ openProcess: () => openPty(programIn(temp.path, '/bin/cat')) });
		const program = programIn(temp.path, '/bin/cat');
		const opened = await Promise.all(Array.from({ length: 65 }, () => terminals.start({ program })));
		expect(opened.filter(({ ok }) => !ok)).toMatchObject([{ error: { code: 'store_busy' } }]);
	});
});
