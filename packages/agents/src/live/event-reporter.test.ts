// Type tests of the event reporter: the build fails if a line that must be rejected compiles.
import { expect, it } from 'vitest';
import type { EventReporter } from './event-reporter.ts';

it('accepts only the normalized payload of each hook (checked by the compiler)', () => {
	const call = { tool_name: 'Bash', tool_input: {}, tool_use_id: 't1' };
	const misspelt = { ...call, tool_use_ID: 't1' };
	const says = [
		(reporter: EventReporter) => reporter.report('PostToolUse', { ...call, tool_response: 'done' }),
		// @ts-expect-error A misspelt field.
		(reporter: EventReporter) => reporter.report('PostToolUse', { ...call, tool_respnse: 'done' }),
		// @ts-expect-error Also from another object.
		(reporter: EventReporter) => reporter.report('PreToolUse', misspelt),
		// @ts-expect-error A missing required field.
		(reporter: EventReporter) => reporter.report('PostToolUseFailure', call),
		// @ts-expect-error A field of another type.
		(reporter: EventReporter) => reporter.report('SessionStart', { source: 'teleport' }),
		// @ts-expect-error A misspelt hook.
		(reporter: EventReporter) => reporter.report('PreToolUsed', call),
		// @ts-expect-error The same for a request that needs a decision.
		(reporter: EventReporter) => reporter.ask('PermissionRequest', { ...call, suggestions: [] }, () => {}),
	];
	expect(says).toHaveLength(7);
});
