import { readPaneSamples } from '@roost/testkit/samples/claude-samples';
import { describe, expect, it } from 'vitest';
import { statusOfScreen } from './claude-status.ts';

const PERMISSION = 'waiting: permission prompt';
const INPUT = 'waiting: input needed';

const EXPECTED: Readonly<Record<string, string>> = {
	'01-onboarding-theme': 'unknown',
	'02-onboarding-2': 'unknown',
	'03-onboarded-first-dialog': INPUT,
	'04-after-enter1': 'unknown',
	'05-trust-yes-selected': INPUT,
	'06-api-key-dialog': INPUT,
	'07-ready-first': 'idle',
	'08-after-exit': 'unknown',
	'10-ready-manual': 'idle',
	'11-permission-dialog-bash': PERMISSION,
	'12-after-yes': 'idle',
	'13-permission-dialog-while-hook-pending': PERMISSION,
	'14-after-hook-allow': 'idle',
	'15-user-rejected-first': 'idle',
	'17-ask-user-question': INPUT,
	'18-ask-answered-by-PermissionRequest-hook': 'idle',
	'19-ask-answered-by-PreToolUse-hook': 'idle',
	'20-auto-mode-bash': 'idle',
	'22-api-error': 'idle',
	'23-model-switch': INPUT,
	'24-compact': 'idle',
	'25-add-dir': INPUT,
	'26-after-config': 'idle',
	'27-worktree': 'idle',
	'28-working': 'busy',
	'30-bypass': 'unknown',
	'30-bypass-sandbox': INPUT,
	'31-bypass-accepted': 'idle',
	'32-bypass-second': 'idle',
	'33-bypass-preset': 'idle',
	'34-bypass-settings-skip': 'idle',
	'35-nonroot-trust': INPUT,
	'37-untrusted-with-hooks': INPUT,
	'38-after-trust': 'idle',
	'40-pretooluse-ask': PERMISSION,
	'41-pr-exit2': PERMISSION,
	'42-pr-deny': 'idle',
	'44-pre-defer': PERMISSION,
	'46-bracketed-paste': 'idle',
	'47-after-paste-enter': 'idle',
};

describe('recorded claude screens', () => {
	const panes = readPaneSamples();

	it('all have an expected status', () => {
		expect([...panes.keys()].sort()).toEqual(Object.keys(EXPECTED).sort());
	});

	it.each([...panes])('%s', (name, lines) => {
		expect(statusOf(lines)).toBe(EXPECTED[name]);
	});

	it('are busy by the line above the prompt alone if the footer is cut off', () => {
		const working = panes.get('28-working') ?? [];
		expect(statusOf(working.map((line) => line.replace(' · esc to interrupt', '')))).toBe('busy');
	});
});

describe('other screens', () => {
	it.each([
		['nothing', []],
		['a shell', ['$ ls', 'file', '$ ']],
		['text of the footer inside the conversation', ['● press esc to interrupt', '? for shortcuts', 'Esc to cancel', '$ ']],
		['a list with an arrow but without a frame', ['❯ 1. Yes', '  2. No']],
	])('with %s are unknown', (_, lines) => {
		expect(statusOf(lines)).toBe('unknown');
	});

	it('are judged by the last line if the conversation imitates a dialog', () => {
		const rule = '─'.repeat(80);
		const imitation = [rule, ' Do you want to proceed?', ' ❯ 1. Yes', ' Esc to cancel'];
		expect(statusOf([...imitation, rule, '❯ ', rule, '  ⏸ manual mode on · ? for shortcuts'])).toBe('idle');
		expect(statusOf([...imitation, rule, '❯ ', rule, '  ⏸ manual mode on · esc to interrupt'])).toBe('busy');
	});
});

function statusOf(lines: readonly string[]): string {
	const { status, waitingFor } = statusOfScreen(lines);
	return waitingFor === undefined ? status : `${status}: ${waitingFor}`;
}
