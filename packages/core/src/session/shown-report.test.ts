import { expect, it } from 'vitest';
import { readReport } from '../runtime/normal-form/read-report.ts';
import { toShownReport } from './shown-report.ts';

it('marks a report as malformed if redaction replaces an expected value', () => {
	const event = {
		...{ id: 'e1', timestamp: 1, sessionId: 'n1', interaction: { expectsDecision: false } },
		context: { cwd: '/', transcriptPath: '' },
		...readReport('SessionStart', { source: 'startup' }),
	};
	const redact = <T>(value: T) => ({ value: JSON.parse(JSON.stringify(value).replace('startup', '[redacted]')), redactions: [] });
	expect(toShownReport(new Map(), event, { redact })).toMatchObject({
		hookName: 'SessionStart',
		payload: { source: '[redacted]' },
		unread: 'malformed',
	});
	expect(toShownReport(new Map(), event, { redact: (value) => ({ value, redactions: [] }) })).toEqual(event);
});
