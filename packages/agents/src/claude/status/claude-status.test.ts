import { describe, expect, it } from 'vitest';
import type { StatusEvidence } from '../../base/status-source.ts';
import { toClaudeStatus } from './claude-status.ts';

const NOW = 100_000;
const at = (time: number, status: StatusEvidence['status'], waitingFor?: string): StatusEvidence => ({
	status,
	waitingFor,
	at: time,
});

describe('Claude status', () => {
	it('comes from the file if there is one, even if hooks or screen are newer', () => {
		const sources = { file: at(1, 'busy'), hooks: at(90_000, 'waiting', 'permission prompt'), screen: at(99_000, 'idle') };
		expect(toClaudeStatus(sources, NOW)).toEqual({ status: 'busy', source: 'file', asOf: 1 });
	});

	it('comes from hooks if there is no file', () => {
		const sources = { file: null, hooks: at(5, 'waiting', 'input needed'), screen: at(4, 'idle') };
		expect(toClaudeStatus(sources, NOW)).toEqual({ status: 'waiting', waitingFor: 'input needed', source: 'hooks', asOf: 5 });
	});

	it('comes from the screen if it differs and is over a second newer than the last hook', () => {
		const hooks = at(10_000, 'busy');
		expect(toClaudeStatus({ hooks, screen: at(11_001, 'idle') }, NOW)).toEqual({
			status: 'idle',
			source: 'screen',
			asOf: 11_001,
		});
		expect(toClaudeStatus({ hooks, screen: at(11_000, 'idle') }, NOW)).toMatchObject({ status: 'busy', source: 'hooks' });
		expect(toClaudeStatus({ hooks, screen: at(50_000, 'busy') }, NOW)).toMatchObject({ status: 'busy', source: 'hooks' });
	});

	it('comes from the screen if there is no other source, and is unknown without any', () => {
		expect(toClaudeStatus({ screen: at(5, 'busy') }, NOW)).toEqual({ status: 'busy', source: 'screen', asOf: 5 });
		expect(toClaudeStatus({ file: null, hooks: null, screen: null }, NOW)).toEqual({
			status: 'unknown',
			source: 'none',
			asOf: NOW,
		});
	});
});
