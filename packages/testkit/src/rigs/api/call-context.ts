// What a handler is told about a call, for tests that call it directly.
import type { Principal } from '@roost/protocol/ask';
import type { CallContext } from '@roost/protocol/contract/operation';

export function callAs(by: Principal = { name: 'test', face: 'test' }, report: (line: string) => void = () => {}): CallContext {
	return { by, report };
}
