// The rules of the demo: what its agent may do unasked, and what it may never do.
import { type ProjectId, ruleId } from '@roost/protocol/ids';
import type { Rule } from '@roost/protocol/rule';

export function demoRules(project: ProjectId, now: number): Rule[] {
	const base = { scope: 'project', scopeId: project, addedBy: 'demo', createdAt: now } as const;
	return [
		{ ...base, id: ruleId.parse('demo-tests'), tool: 'Bash', argsPattern: 'npm test *', decision: 'allow' },
		{ ...base, id: ruleId.parse('demo-edits'), tool: 'Edit', decision: 'allow' },
		{ ...base, id: ruleId.parse('demo-no-force'), tool: 'Bash', argsPattern: 'git push --force *', decision: 'deny' },
	];
}
