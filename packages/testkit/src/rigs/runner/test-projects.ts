// The projects of a runner as tests want them: those on record, and real folders.
import { runnerId } from '@roost/protocol/ids';
import { createProjects, type Projects } from '@roost/runner/record/projects';
import { createMemoryStore } from '@roost/store/memory-store';
import type { Store } from '@roost/store/store';

/** The runner of every test engine. */
export const TEST_RUNNER = runnerId.parse('test-runner');

export function createTestProjects(store: Pick<Store, 'projects'> = createMemoryStore()): Projects {
	return createProjects({ store, runnerId: TEST_RUNNER, discovered: () => [] });
}
