import type { RunnerRow } from '@roost/protocol/hub/runners';
import { runnerId } from '@roost/protocol/ids';
import { describe, expect, it } from 'vitest';
import { firstRunner } from './connect-to-first.ts';

function runner(name: string, over: Partial<RunnerRow> = {}): RunnerRow {
	const id = runnerId.parse(`id-of-${name}`);
	return { id, name, version: '0.1.0', online: true, since: 0, asks: 0, working: 0, ...over };
}

const OFFLINE = { online: false, activeAt: 9 };

describe('the first runner that is shown', () => {
	it.each<[string, RunnerRow[], string | undefined]>([
		['has a pending request', [runner('a', { activeAt: 9 }), runner('b', { asks: 1, activeAt: 1 })], 'b'],
		['has one and is online', [runner('a', { asks: 3, ...OFFLINE }), runner('b', { asks: 1 })], 'b'],
		['has one, even offline', [runner('a'), runner('b', { asks: 1, ...OFFLINE })], 'b'],
		['was active last', [runner('a', OFFLINE), runner('b'), runner('c', { activeAt: 2 }), runner('d', { activeAt: 1 })], 'c'],
		['is the first where all are offline', [runner('a', { online: false }), runner('b', OFFLINE)], 'a'],
		['is none where there is none', [], undefined],
	])('%s', (_, rows, name) => {
		expect(firstRunner(rows)?.name).toBe(name);
	});
});
