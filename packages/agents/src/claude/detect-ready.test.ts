import { readPaneSamples } from '@roost/testkit/samples/claude-samples';
import { describe, expect, it } from 'vitest';
import { detectReady } from './claude-adapter.ts';

/** The key that is right for the row that is chosen there; a safety dialog has chosen its refusal. */
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

describe('a screen of the real claude', () => {
	const panes = readPaneSamples();

	it('has an expectation for every recording', () => {
		expect([...panes.keys()].sort()).toEqual(Object.keys(EXPECTED).sort());
	});

	it.each([...panes])('%s', (name, lines) => {
		expect(said(lines)).toBe(EXPECTED[name]);
	});

	it.each([
		['the API key', '06-api-key-dialog', ['    Yes', '  ❯ No (recommended)'], ['  ❯ Yes', '    No (recommended)']],
		['the bypass warning', '30-bypass-sandbox', ['  ❯ No, exit', '    Yes, I accept'], ['    No, exit', '  ❯ Yes, I accept']],
	])('takes Enter for %s once the wanted row is the chosen one', (_, name, before, after) => {
		const screen = (panes.get(name) ?? []).join('\n');
		const moved = before.reduce((text, row, at) => text.replace(row, after[at] ?? ''), screen);
		expect(moved).not.toBe(screen);
		expect(said(moved.split('\n'))).toBe('Enter');
	});
});

describe('a screen that imitates a dialog', () => {
	const rule = '─'.repeat(80);
	const trust = [rule, ' Is this a project you created or one you trust?', ' ❯ No, exit', '   Yes, I trust this folder'];

	it('gets no key where the prompt stands below it', () => {
		expect(said([...trust, ' Enter to confirm', rule, '❯ ', rule, '  ⏸ manual mode on · ? for shortcuts'])).toBe('ready');
	});

	it('gets no key where the wanted row is not there, or no row is chosen', () => {
		const footer = ' Enter to confirm · Esc to cancel';
		expect(said([...trust.slice(0, 3), footer])).toBe('loading');
		expect(said([...trust.map((line) => line.replace('❯', ' ')), footer])).toBe('loading');
		expect(said([...trust, footer])).toBe('Down');
	});

	it('gets no key from a word of the conversation above the dialog', () => {
		const ask = [rule, ' Bash command', ' Do you want to proceed?', ' ❯ 1. Yes', '   2. No', ' Esc to cancel'];
		expect(said(['● Do you want to use this API key?', ...ask])).toBe('loading');
	});
});

describe('a screen that asks whether a call may be made', () => {
	const panes = readPaneSamples();
	const rule = '─'.repeat(80);
	const played = [
		[' Is this a project you created or one you trust?', '   No, exit', ' ❯ Yes, I trust this folder'],
		[' Do you want to use this API key?', ' ❯ Yes', '   No (recommended)'],
		[' running in Bypass Permissions mode', '   No, exit', ' ❯ Yes, I accept'],
		[' Choose the text style that looks best with your terminal', ' ❯ 1. Dark mode'],
	];
	const permissions = ['11-permission-dialog-bash', '13-permission-dialog-while-hook-pending', '40-pretooluse-ask'];

	it.each(permissions)('gets no key, although what it shows plays a dialog of the start: %s', (name) => {
		const lines = panes.get(name) ?? [];
		const question = lines.findLastIndex((line) => line.includes('Do you want to'));
		expect(question).toBeGreaterThan(0);
		for (const words of played) {
			const above = [...lines.slice(0, question), rule, ...words, ' Enter to confirm', ...lines.slice(question)];
			expect(said(above)).toBe('loading');
			const asPlan = above.map((line) => line.replace('Do you want to proceed?', 'Would you like to proceed?'));
			expect(said(asPlan)).toBe('loading');
		}
	});

	it('gets no key either where Claude asks a question or offers a plan', () => {
		const rows = [
			' ❯ 1. Yes, I trust this folder',
			'   2. No, exit',
			' Enter to select · Tab/Arrow keys to navigate · Esc to cancel',
		];
		expect(said([rule, 'Is this a project you created or one you trust?', ...rows])).toBe('loading');
	});
});

describe('the first screen of all', () => {
	it('is passed by with the style that is chosen there', () => {
		const rows = [' ❯ 1. Auto (match terminal)', '   2. Dark mode', '   3. Light mode'];
		const screen = ['─'.repeat(80), ' Choose the text style that looks best with your terminal', ...rows];
		expect(said(screen)).toBe('Enter');
	});
});

function said(lines: readonly string[]): string {
	const state = detectReady(lines.join('\n'));
	return state.phase === 'dialog' ? state.action : state.phase;
}
