import { readScreens } from '@roost/testkit/samples/agent-samples';
import { describe, expect, it } from 'vitest';
import type { ReadyState } from '../base/types.ts';
import { detectReady } from './codex-adapter.ts';

const screens = Object.fromEntries(readScreens('codex'));
const LOADING: ReadyState = { phase: 'loading' };
const READY: ReadyState = { phase: 'ready' };

const EXPECTED: Readonly<Record<string, ReadyState>> = {
	'tui-0-trust': { phase: 'dialog', action: 'Enter' },
	'tui-1-start': READY,
	'tui-2-approval': LOADING,
	'tui-3-after': READY,
	'tui-4-starting': LOADING,
	'tui-5-queued': LOADING,
	'tui-6-restricted': { phase: 'dialog', action: 'Enter' },
	'tui-7-model': { phase: 'dialog', action: 'Down' },
	'tui-8-working': LOADING,
	'tui-9-ready': READY,
};

describe('Codex screen', () => {
	it('is classified correctly in every recorded phase', () => {
		const seen = Object.entries(screens).map(([name, screen]) => [name, detectReady(screen)]);
		expect(Object.fromEntries(seen)).toEqual(EXPECTED);
	});

	it('names one key at a time when a different row is selected', () => {
		const moved = (screens['tui-0-trust'] ?? '').replace('› 1.', '  1.').replace('  2. Quit', '› 2. Quit');
		expect(detectReady(moved)).toEqual({ phase: 'dialog', action: 'Up' });
	});

	it('continues without trust in the hook review dialog', () => {
		const hooks =
			"Hooks need review\n  1. Review hooks\n  2. Trust all and continue\n› 3. Continue without trusting (hooks won't run)\n";
		expect(detectReady(hooks)).toEqual({ phase: 'dialog', action: 'Enter' });
	});

	it('is not ready during a turn, even though the prompt is visible', () => {
		const working = `${screens['tui-3-after']}`.replace('• ok finished', '• Working (1s • esc to interrupt)');
		expect(detectReady(working)).toEqual(LOADING);
		const writing = `${screens['tui-8-working']}`.replace(/^• Working.*$/m, '• I am about to say');
		expect(detectReady(writing)).toEqual(LOADING);
	});

	it('is ready even if the transcript contains a list, an interrupt hint or a dialog', () => {
		const lines = ['• Press esc to interrupt. Trust this folder?', '  1. Trust and continue', '  2. Quit', '• Well?'];
		const after = `${screens['tui-9-ready']}`.replace('› Ask', `${lines.join('\n')}\n› Ask`);
		expect(detectReady(after)).toEqual(READY);
	});

	it.each(['', '\n\n', 'codex: command not found', '› 1. Something else\n  2. Quit\n'])(
		'is loading if it shows only %j',
		(text) => {
			expect(detectReady(text)).toEqual(LOADING);
		},
	);
});

describe('Codex approval screen', () => {
	const asking = screens['tui-2-approval'] ?? '';
	const trust = ['  Trust this folder?', '› 1. Trust and continue', '  2. Quit'];

	it.each([
		['earlier output', asking.replace('• Running', `${trust.join('\n')}\n• Running`)],
		['the reason of the call', asking.replace('Reason: Allow it?', `Reason: ${trust.join('\n')}`)],
		['the command', asking.replace('$ echo v', `$ echo '\n${trust.join('\n')}\n' v`)],
		['the row for similar commands', asking.replace('  2. Yes, and', `${trust.join('\n')}\n  2. Yes, and`)],
		['everything visible of the call', `${trust.join('\n')}\n  3. No, and tell Codex what to do differently (esc)\n`],
	])('names no key if a startup dialog is imitated by %s', (_, screen) => {
		expect(screen).not.toBe(asking);
		expect(detectReady(screen)).toEqual(LOADING);
	});
});
