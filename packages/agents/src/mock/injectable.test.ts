import type { RuntimeDecision } from '@roost/core/runtime/decision';
import { describe, expect, it } from 'vitest';
import { createInjectableMockRuntime } from './injectable.ts';

const ALLOW: RuntimeDecision = { verdict: { type: 'allow' }, source: 'user' };
const DENY: RuntimeDecision = { verdict: { type: 'deny', message: 'no' }, source: 'user' };

describe('createInjectableMockRuntime', () => {
	it('emits a given event immediately and returns it with all fields', () => {
		const mock = createInjectableMockRuntime();
		const reported: unknown[] = [];
		mock.onEvent((event) => reported.push(event));
		mock.start();
		const event = mock.emit({ hookName: 'PostToolUse', toolName: 'Read', payload: 'text' });
		expect(reported).toEqual([event]);
		expect(event).toMatchObject({
			id: 'mock-1',
			hookName: 'PostToolUse',
			toolName: 'Read',
			payload: { tool_name: 'Read', value: 'text' },
		});
		mock.stop();
	});

	it('records every decision and returns the first one for each event', () => {
		const mock = createInjectableMockRuntime();
		mock.onEvent(() => {});
		mock.start();
		const { id } = mock.emit({ hookName: 'PermissionRequest' });
		expect(mock.getDecision(id)).toBeUndefined();
		mock.sendDecision(id, ALLOW);
		mock.sendDecision(id, DENY);
		expect(mock.getDecisions()).toEqual([
			{ eventId: id, decision: ALLOW },
			{ eventId: id, decision: DENY },
		]);
		expect(mock.getDecision(id)).toBe(ALLOW);
		mock.stop();
	});
});
