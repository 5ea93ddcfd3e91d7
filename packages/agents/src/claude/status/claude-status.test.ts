import { describe, expect, it } from 'vitest';
import type { StatusEvidence } from '../../base/status-source.ts';
import { toClaudeStatus } from './claude-status.ts';

const NOW = 100_000;
const at = (time: number, status: StatusEvidence['status'], waitingFor?: string): StatusEvidence => ({
	status,
	waitingFor,
	at: time,
});

describe('the status', () => {
	it('is the file’s, however old it is and whatever hooks or the screen say later', () => {
		const sources = { file: at(1, 'busy'), hooks: at(90_000, 'waiting', 'permission prompt'), screen: at(99_000, 'idle') };
		expect(toClaudeStatus(sources, NOW)).toEqual({ status: 'busy', source: 'file', asOf: 1 });
	});

	it('is the hooks’ where there is no file', () => {
		const sources = { file: null, hooks: at(5, 'waiting', 'input needed'), screen: at(4, 'idle') };
		expect(toClaudeStatus(sources, NOW)).toEqual({ status: 'waiting', waitingFor: 'input needed', source: 'hooks', asOf: 5 });
	});

	it('is the screen’s when that was seen clearly after the last hook: Esc tells no hook', () => {
		const hooks = at(10_000, 'busy');
		expect(toClaudeStatus({ hooks, screen: at(11_001, 'idle') }, NOW)).toEqual({
			status: 'idle',
			source: 'screen',
			asOf: 11_001,
		});
		expect(toClaudeStatus({ hooks, screen: at(11_000, 'idle') }, NOW)).toMatchObject({ status: 'busy', source: 'hooks' });
		expect(toClaudeStatus({ hooks, screen: at(50_000, 'busy') }, NOW)).toMatchObject({ status: 'busy', source: 'hooks' });
	});

	it('is the screen’s where nothing else is, and unknown where nothing is', () => {
		expect(toClaudeStatus({ screen: at(5, 'busy') }, NOW)).toEqual({ status: 'busy', source: 'screen', asOf: 5 });
		expect(toClaudeStatus({ file: null, hooks: null, screen: null }, NOW)).toEqual({
			status: 'unknown',
			source: 'none',
			asOf: NOW,
		});
	});
});
