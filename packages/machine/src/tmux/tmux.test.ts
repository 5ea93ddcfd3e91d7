// A program that answers like tmux, because the real one cannot be held between the two halves of an exit.
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createTempDir } from '@roost/testkit/rigs/temp-dir';
import { unwrap } from '@roost/testkit/rigs/unwrap';
import { expect, it } from 'vitest';
import { openTmux } from './tmux.ts';

const NO_PROCESS = 2 ** 30;

it('asks for the end of a program until tmux has reaped it', async () => {
	await using dir = await createTempDir();
	const tmux = await openFake(dir.path, { pid: process.pid, nudges: 3, last: '1,,9' });
	expect(unwrap(await tmux.read('bill'))?.end).toEqual({ signal: 9 });
});

it('accepts an end without a reason of a program that is gone, as older versions do not report signals', async () => {
	await using dir = await createTempDir();
	const tmux = await openFake(dir.path, { pid: NO_PROCESS, nudges: 3, last: '1,,9' });
	expect(unwrap(await tmux.read('bill'))?.end).toEqual({});
});

/** Its only session has a closed terminal, and the end `last` after that many nudges. */
async function openFake(directory: string, { pid, nudges, last }: { pid: number; nudges: number; last: string }) {
	const count = join(directory, 'nudges');
	const lines = [
		'#!/bin/sh',
		'case "$*" in',
		'-V) echo "tmux 3.3a" ;;',
		`*run-shell*) echo >> ${count} ;;`,
		`*list-sessions*) [ "$(wc -l < ${count})" -ge ${nudges} ] && end=${last} || end=1,,; echo "bill,${pid},80,24,0,$end" ;;`,
		'esac',
	];
	await writeFile(count, '');
	await writeFile(join(directory, 'tmux'), `${lines.join('\n')}\n`, { mode: 0o700 });
	return unwrap(await openTmux({ env: { PATH: directory }, socketPath: join(directory, 'socket'), scrollbackLines: 0 }));
}
