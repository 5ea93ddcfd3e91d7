import { readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { sessionId, terminalId } from '@roost/protocol/ids';
import { createTempDir } from '@roost/testkit/rigs/temp-dir';
import { unwrap } from '@roost/testkit/rigs/unwrap';
import { describe, expect, it } from 'vitest';
import { createKeptTerminals, type KeptTerminal } from './tmux-terminals.ts';

const ONE: KeptTerminal = {
	id: terminalId.parse('one'),
	sessionId: sessionId.parse('k3f9'),
	title: 'sh',
	cwd: '/project',
	size: { cols: 80, rows: 24 },
};
const TWO: KeptTerminal = { ...ONE, id: terminalId.parse('two'), sessionId: null };

describe('terminal data kept for the next runner', () => {
	it('is available until it is forgotten', async () => {
		await using temp = await createTempDir();
		const kept = createKeptTerminals(temp.path);
		unwrap(kept.keep(ONE));
		unwrap(kept.keep({ ...TWO, title: 'before' }));
		unwrap(kept.keep(TWO));
		const next = createKeptTerminals(temp.path);
		expect(next.readAll().toSorted((a, b) => a.id.localeCompare(b.id))).toEqual([ONE, TWO]);
		next.forget(ONE.id);
		next.forget(ONE.id);
		expect(kept.readAll()).toEqual([TWO]);
	});

	it.each([
		['a truncated file', JSON.stringify(ONE).slice(0, 20)],
		['another format', '[1]'],
		['the file of another terminal', JSON.stringify(TWO)],
		['an invalid size', JSON.stringify({ ...ONE, size: { cols: 0, rows: 24 } })],
	])('is not read from %s, which is removed, and other files are kept', async (_, text) => {
		await using temp = await createTempDir();
		await writeFile(join(temp.path, 'terminal-one.json'), text, { mode: 0o600 });
		for (const name of ['runner.json', 'terminal-one.json.bak', 'terminal-..json']) await writeFile(join(temp.path, name), '{}');
		expect(createKeptTerminals(temp.path).readAll()).toEqual([]);
		expect((await readdir(temp.path)).toSorted()).toEqual(['runner.json', 'terminal-..json', 'terminal-one.json.bak']);
	});
});
