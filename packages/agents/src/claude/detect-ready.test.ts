import { readPaneSamples } from '@roost/testkit/samples/claude-samples';
import { describe, expect, it } from 'vitest';
import { detectReady } from './claude-adapter.ts';

/** The key for the selected row of each screen; in a safety dialog the default row refuses. */
const EXPECTED: Readonly<Record<string, string>> = {
	'01-onboarding-theme': 'loading',
	'02-onboarding-2': 'loading',
	'03-onboarded-first-dialog': 'Down',
	'04-after-enter1': 'loading',
	'05-trust-yes-selected': 'Enter',
	'06-api-key-dialog': 'Up',
	'07-ready-first': 'ready',
	'08-after-exit': 'loading',
	'10-ready-manual': 'ready',
	'11-permission-dialog-bash': 'loading',
	'12-after-yes': 'ready',
	'13-permission-dialog-while-hook-pending': 'loading',
	'14-after-hook-allow': 'ready',
	'15-user-rejected-first': 'ready',
	'17-ask-user-question': 'loading',
	'18-ask-answered-by-PermissionRequest-hook': 'ready',
	'19-ask-answered-by-PreToolUse-hook': 'ready',
	'20-auto-mode-bash': 'ready',
	'22-api-error': 'ready',
	'23-model-switch': 'loading',
	'24-compact': 'ready',
	'25-add-dir': 'loading',
	'26-after-config': 'ready',
	'27-worktree': 'ready',
	'28-working': 'loading',
	'30-bypass': 'loading',
	'30-bypass-sandbox': 'Down',
	'31-bypass-accepted': 'ready',
	'32-bypass-second': 'ready',
	'33-bypass-preset': 'ready',
	'34-bypass-settings-skip': 'ready',
	'35-nonroot-trust': 'Down',
	'37-untrusted-with-hooks': 'Down',
	'38-after-trust': 'ready',
	'40-pretooluse-ask': 'loading',
	'41-pr-exit2': 'loading',
	'42-pr-deny': 'ready',
	'44-pre-defer': 'loading',
	'46-bracketed-paste': 'ready',
	'47-after-paste-enter': 'ready',
};

describe('recorded claude screens', () => {
	const panes = readPaneSamples();

	it('all have an expected result', () => {
		expect([...panes.keys()].sort()).toEqual(Object.keys(EXPECTED).sort());
	});

	it.each([...panes])('%s', (name, lines) => {
		expect(detect(lines)).toBe(EXPECTED[name]);
	});

	it.each([
		['the API key', '06-api-key-dialog', ['    Yes', '  ❯ No (recommended)'], ['  ❯ Yes', '    No (recommended)']],
		['the bypass warning', '30-bypass-sandbox', ['  ❯ No, exit', '    Yes, I accept'], ['    No, exit', '  ❯ Yes, I accept']],
	])('get Enter for %s once the wanted row is selected', (_, name, before, after) => {
		const screen = (panes.get(name) ?? []).join('\n');
		const moved = before.reduce((text, row, at) => text.replace(row, after[at] ?? ''), screen);
		expect(moved).not.toBe(screen);
		expect(detect(moved.split('\n'))).toBe('Enter');
	});
});

describe('screen that imitates a dialog', () => {
	const rule = '─'.repeat(80);
	const trust = [rule, ' Is this a project you created or one you trust?', ' ❯ No, exit', '   Yes, I trust this folder'];

	it('gets no key if the prompt is below it', () => {
		expect(detect([...trust, ' Enter to confirm', rule, '❯ ', rule, '  ⏸ manual mode on · ? for shortcuts'])).toBe('ready');
	});

	it('gets no key if the wanted row is missing or no row is selected', () => {
		const footer = ' Enter to confirm · Esc to cancel';
		expect(detect([...trust.slice(0, 3), footer])).toBe('loading');
		expect(detect([...trust.map((line) => line.replace('❯', ' ')), footer])).toBe('loading');
		expect(detect([...trust, footer])).toBe('Down');
	});

	it('gets no key because of conversation text above a dialog', () => {
		const ask = [rule, ' Bash command', ' Do you want to proceed?', ' ❯ 1. Yes', '   2. No', ' Esc to cancel'];
		expect(detect(['● Do you want to use this API key?', ...ask])).toBe('loading');
	});
});

describe('permission dialog', () => {
	const panes = readPaneSamples();
	const rule = '─'.repeat(80);
	const played = [
		[' Is this a project you created or one you trust?', '   No, exit', ' ❯ Yes, I trust this folder'],
		[' Do you want to use this API key?', ' ❯ Yes', '   No (recommended)'],
		[' running in Bypass Permissions mode', '   No, exit', ' ❯ Yes, I accept'],
		[' Choose the text style that looks best with your terminal', ' ❯ 1. Dark mode'],
	];
	const permissions = ['11-permission-dialog-bash', '13-permission-dialog-while-hook-pending', '40-pretooluse-ask'];

	it.each(permissions)('gets no key even if its content imitates a startup dialog: %s', (name) => {
		const lines = panes.get(name) ?? [];
		const question = lines.findLastIndex((line) => line.includes('Do you want to'));
		expect(question).toBeGreaterThan(0);
		for (const words of played) {
			const above = [...lines.slice(0, question), rule, ...words, ' Enter to confirm', ...lines.slice(question)];
			expect(detect(above)).toBe('loading');
			const asPlan = above.map((line) => line.replace('Do you want to proceed?', 'Would you like to proceed?'));
			expect(detect(asPlan)).toBe('loading');
		}
	});

	it('gets no key if it is a question that imitates the trust dialog', () => {
		const rows = [
			' ❯ 1. Yes, I trust this folder',
			'   2. No, exit',
			' Enter to select · Tab/Arrow keys to navigate · Esc to cancel',
		];
		expect(detect([rule, 'Is this a project you created or one you trust?', ...rows])).toBe('loading');
	});
});

describe('onboarding screen', () => {
	it('gets Enter to accept the selected text style', () => {
		const rows = [' ❯ 1. Auto (match terminal)', '   2. Dark mode', '   3. Light mode'];
		const screen = ['─'.repeat(80), ' Choose the text style that looks best with your terminal', ...rows];
		expect(detect(screen)).toBe('Enter');
	});
});

function detect(lines: readonly string[]): string {
	const state = detectReady(lines.join('\n'));
	return state.phase === 'dialog' ? state.action : state.phase;
}
