import { askId } from '@roost/protocol/ids';
import { describe, expect, it } from 'vitest';
import { createBell, toBell } from './bell.ts';

const XTERM = { TERM: 'xterm-256color' };

const waiting = (id: string) => ({ id: askId.parse(id), state: 'pending' as const });

describe('bell', () => {
	it('is a notification with only the escaped id, and a ring', () => {
		expect(toBell('k3f9.1', XTERM)).toBe('\u001b]9;Roost: ask k3f9.1 waits\u001b\\\u0007');
		expect(toBell('k3\u001b\\\u0007\n9', XTERM)).toBe('\u001b]9;Roost: ask k3\\x1b\\\\x07\\n9 waits\u001b\\\u0007');
	});

	it.each([{ TERM: 'tmux-256color' }, { TERM: 'screen' }, { TERM: 'xterm', TMUX: '/tmp/tmux-0/default,1,0' }])(
		'only rings inside a multiplexer: %j',
		(env) => {
			expect(toBell('k3f9.1', env)).toBe('\u0007');
		},
	);

	it('rings once for each ask, however often it is reported', () => {
		const { bell, written } = belled([{ isTTY: true }]);
		bell.report(waiting('a'), 0);
		bell.report(waiting('a'), 0);
		bell.report(waiting('b'), 0);
		expect(written).toEqual([toBell('a', XTERM), toBell('b', XTERM)]);
	});

	it('is silent while someone is watching, and rings for a later report', () => {
		const { bell, written } = belled([{ isTTY: true }]);
		bell.report(waiting('a'), 1);
		expect(written).toEqual([]);
		bell.report(waiting('a'), 0);
		expect(written).toHaveLength(1);
	});

	it('rings again for an ask that is reopened after its decision', () => {
		const { bell, written } = belled([{ isTTY: true }]);
		bell.report(waiting('a'), 0);
		bell.report({ ...waiting('a'), state: 'allowed' }, 0);
		bell.report(waiting('a'), 0);
		expect(written).toHaveLength(2);
	});

	it('writes only to the first terminal', () => {
		expect(ringsOn([{ isTTY: false }, {}])).toEqual([]);
		expect(ringsOn([{ isTTY: false }, { isTTY: true }, { isTTY: true }])).toEqual([1]);
	});
});

function belled(terminals: readonly { isTTY?: boolean }[]) {
	const written: string[] = [];
	const places: number[] = [];
	const bell = createBell(
		terminals.map((terminal, at) => ({
			...terminal,
			write: (text: string) => {
				written.push(text);
				places.push(at);
			},
		})),
		XTERM,
	);
	return { bell, written, places };
}

function ringsOn(terminals: readonly { isTTY?: boolean }[]): number[] {
	const { bell, places } = belled(terminals);
	bell.report(waiting('a'), 0);
	return places;
}
