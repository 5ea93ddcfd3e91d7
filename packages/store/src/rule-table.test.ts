import { hash } from 'node:crypto';
import { createRedactor } from '@roost/core/redaction/redact';
import { sessionId, streamId } from '@roost/protocol/ids';
import { sampleAppend, sampleEvent, sampleRule } from '@roost/testkit/rigs/record/sample-append';
import { unwrap } from '@roost/testkit/rigs/unwrap';
import { expect, it } from 'vitest';
import { createMemoryStore } from './memory-store.ts';
import { toProjectId } from './project-id.ts';

/** Looks like a token, so that it is redacted in every fact. */
const SECRET = ['sk', 'ant', 'api03', 'AQEBAQEB'.repeat(6)].join('-');

it.each(['/srv/shop', `/srv/${SECRET}`])('confirms a rule with a project id by a fact with the project path %s', async (path) => {
	await using store = createMemoryStore();
	const redactor = createRedactor((text) => hash('sha256', text));
	const fact = redactor.redact(sampleRule('r1', { scope: 'project', scopeId: path, decision: 'deny' })).value;
	const row = sampleRule('r1', {
		scope: 'project',
		scopeId: toProjectId('runner-1', path),
		projectPath: path,
		decision: 'deny',
	});
	const own = { stream: streamId.parse('runner:runner-1'), sessionId: sessionId.parse('runner:runner-1') };
	const event = sampleEvent('runner:runner-1', 1, { kind: 'rule.added', data: { rule: fact } });
	unwrap(await store.append(sampleAppend('runner:runner-1', [event], { ...own, rules: { add: [row] } })));
	expect(unwrap(store.checkedRules())).toEqual({ rules: [row], problems: [] });
});
