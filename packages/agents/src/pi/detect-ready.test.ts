// Screens of three versions of the real Pi, and the state that Roost detects in each.
import { readScreens } from '@roost/testkit/samples/agent-samples';
import { describe, expect, it } from 'vitest';
import type { ReadyState } from '../base/types.ts';
import { detectReady } from './pi-adapter.ts';

const REFUSE: ReadyState = { phase: 'dialog', action: 'Escape' };
const WORKS: ReadyState = { phase: 'loading' };
/** A dialog about the work is for people: no key is returned for it. */
const ASKS: ReadyState = { phase: 'loading' };
const READY: ReadyState = { phase: 'ready' };

const EXPECTED: Readonly<Record<string, ReadyState>> = {
	'pi15-tui-0-trust': REFUSE,
	'pi15-tui-1-start': READY,
	'pi15-tui-2-confirm': ASKS,
	'pi15-tui-4-idle': READY,
	'pi73-tui-1-start': READY,
	'pi73-tui-2-confirm': ASKS,
	'pi73-tui-3-working': WORKS,
	'pi87-tui-confirm': ASKS,
	'pi87-tui-input': ASKS,
	'pi87-tui-interrupted': READY,
	'pi87-tui-scrolled': READY,
	'pi87-tui-select': ASKS,
	'pi87-tui-start': READY,
	'pi87-tui-trust': REFUSE,
	'pi87-tui-typed': READY,
	'pi87-tui-working': WORKS,
};

describe('Pi screen', () => {
	it('is classified correctly in every recorded phase', () => {
		const seen = [...readScreens('pi')].map(([name, screen]) => [name, detectReady(screen)]);
		expect(Object.fromEntries(seen)).toEqual(EXPECTED);
	});

	it('is loading while it is empty or only partly drawn', () => {
		const [start = ''] = [...readScreens('pi')].flatMap(([name, screen]) => (name === 'pi87-tui-start' ? [screen] : []));
		const lines = start.trimEnd().split('\n');
		const isReady = lines.map((_line, at) => detectReady(lines.slice(0, at).join('\n')).phase);
		expect(new Set(isReady)).toEqual(new Set(['loading']));
		expect(detectReady('')).toEqual(WORKS);
	});

	it('is not misread because of text that the agent wrote', () => {
		const [idle = ''] = [...readScreens('pi')].flatMap(([name, screen]) => (name === 'pi87-tui-scrolled' ? [screen] : []));
		const lines = [
			'Trust project folder?',
			'↑↓ navigate  enter select  escape/ctrl+c cancel',
			'⠇ Working...',
			'─'.repeat(120),
			'x',
		];
		expect(detectReady(`${lines.join('\n')}\n${idle}`)).toEqual(READY);
	});

	it('names no key for an extension dialog that imitates the trust dialog', () => {
		const screens = new Map(readScreens('pi'));
		const asking = screens.get('pi87-tui-confirm') ?? '';
		for (const words of ['Run this?', 'echo ask'])
			expect(detectReady(asking.replaceAll(words, 'Trust project folder?'))).toEqual(ASKS);
	});

	it('is ready with any context size, even if the context usage is unknown', () => {
		const rule = '─'.repeat(80);
		const screen = (footer: string) => [rule, '', rule, '~/project (main)', `↑1.0k ↓181 ${footer} (auto)   model`].join('\n');
		expect(['0.0%/1.0M', '?/200k', '99.9%/64k', '12.5%/8000'].map((footer) => detectReady(screen(footer)).phase)).toEqual(
			Array(4).fill('ready'),
		);
	});
});
