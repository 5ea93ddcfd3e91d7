// The projects on this machine. They are scanned on first use and on request; the list shows the progress.
import type { ProjectList } from '@roost/protocol/api/projects';
import { useConnected } from '../data/use-connected.ts';
import { useInterval } from '../data/use-interval.ts';
import { type Read, useRead } from '../data/use-read.ts';

const LOOK_EVERY_MS = 250;

export function useProjects(): Read<ProjectList> & { scan(): void } {
	const { projects } = useConnected().api;
	const list = useRead('projects', async () => {
		const listed = await projects.list();
		const isFirst = listed.ok && listed.value.scannedAt === null && listed.value.scanning === null;
		return isFirst ? await projects.scan() : listed;
	});
	useInterval(list.again, LOOK_EVERY_MS, list.value?.scanning != null);
	return { ...list, scan: () => void projects.scan().then(list.again) };
}
