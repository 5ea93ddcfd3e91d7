// The policy of a session at this moment; every step gets it as data.
import type { ControllerContext } from '../controller/controller.ts';
import type { Redactor } from '../redaction/redact.ts';
import type { RuntimeCapabilities } from '../runtime/runtime.ts';

export type SessionPolicy = Pick<ControllerContext, 'rules' | 'builtinDenies' | 'ownFiles' | 'scope' | 'gate'> & {
	capabilities: Pick<RuntimeCapabilities, 'agent' | 'questionHook' | 'allowHook' | 'takesPrompts'>;
	/** How long an ask may wait; 0 where no face could answer it. */
	askTimeoutMs: number;
	/** Everything that is kept or shown passes through it first. */
	redactor: Redactor;
};
