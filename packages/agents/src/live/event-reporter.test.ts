// What a voice takes. The compiler is the test: the build fails where a line that it must refuse compiles.
import { expect, it } from 'vitest';
import type { EventReporter } from './event-reporter.ts';

it('accepts only the normalized payload of each hook (checked by the compiler)', () => {
	const call = { tool_name: 'Bash', tool_input: {}, tool_use_id: 't1' };
	const misspelt = { ...call, tool_use_ID: 't1' };
	const says = [
		(reporter: EventReporter) => reporter.report('PostToolUse', { ...call, tool_response: 'done' }),
		// @ts-expect-error A field that is misspelt.
		(reporter: EventReporter) => reporter.report('PostToolUse', { ...call, tool_respnse: 'done' }),
		// @ts-expect-error Also where it comes out of another object.
		(reporter: EventReporter) => reporter.report('PreToolUse', misspelt),
		// @ts-expect-error A field that is required.
		(reporter: EventReporter) => reporter.report('PostToolUseFailure', call),
		// @ts-expect-error A field of another type.
		(reporter: EventReporter) => reporter.report('SessionStart', { source: 'teleport' }),
		// @ts-expect-error A hook that is misspelt.
		(reporter: EventReporter) => reporter.report('PreToolUsed', call),
		// @ts-expect-error The same where a person must decide.
		(reporter: EventReporter) => reporter.ask('PermissionRequest', { ...call, suggestions: [] }, () => {}),
	];
	expect(says).toHaveLength(7);
});
