import { readCodexScreens } from '@roost/testkit/samples/codex-samples';
import { describe, expect, it } from 'vitest';
import { detectReady } from './detect-ready.ts';

const screens = readCodexScreens();

describe('a screen of Codex', () => {
	it.each([
		['tui-0-trust', { phase: 'dialog', action: 'Enter' }],
		['tui-1-start', { phase: 'ready' }],
		['tui-2-approval', { phase: 'loading' }],
		['tui-3-after', { phase: 'ready' }],
	])('%s is recognised', (name, state) => {
		expect(detectReady(screens[name] ?? '')).toEqual(state);
	});

	it('is answered by one key at a time where another row is chosen', () => {
		const moved = (screens['tui-0-trust'] ?? '').replace('› 1.', '  1.').replace('  2. Quit', '› 2. Quit');
		expect(detectReady(moved)).toEqual({ phase: 'dialog', action: 'Up' });
	});

	it('of a folder that is not trusted is opened as it is', () => {
		const text = 'Config, hooks, and exec policies from untrusted folders stay disabled.\n\n› 1. Open restricted\n  2. Quit\n';
		expect(detectReady(text)).toEqual({ phase: 'dialog', action: 'Enter' });
	});

	it('that offers other models or to trust hooks is passed by without either', () => {
		const model = 'Meet GPT-7\n\n› 1. Try new model\n  2. Use existing model\n\n  enter/esc confirm';
		expect(detectReady(model)).toEqual({ phase: 'dialog', action: 'Down' });
		const hooks =
			"Hooks need review\n  1. Review hooks\n  2. Trust all and continue\n› 3. Continue without trusting (hooks won't run)\n";
		expect(detectReady(hooks)).toEqual({ phase: 'dialog', action: 'Enter' });
	});

	it('is not ready while it works, although the prompt is there', () => {
		const working = `${screens['tui-3-after']}`.replace('• ok finished', '• Working (1s • esc to interrupt)');
		expect(detectReady(working)).toEqual({ phase: 'loading' });
	});

	it.each(['', '\n\n', 'codex: command not found', '› 1. Something else\n  2. Quit\n'])('with %j says nothing', (text) => {
		expect(detectReady(text)).toEqual({ phase: 'loading' });
	});
});
