// What the scripted agents say of themselves: everything can be gated, nothing can be driven.
import type { RuntimeCapabilities } from '@roost/core/runtime/runtime';

export const MOCK_CAPABILITIES: RuntimeCapabilities = {
	agent: 'mock',
	canBlock: true,
	canAsk: true,
	questionHook: 'PreToolUse',
	takesPrompts: false,
	canInterrupt: false,
	canResume: false,
	canLimitTurns: false,
	gate: { gated: true },
};
