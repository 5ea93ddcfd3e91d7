// A past session, read-only: nothing is recorded.
import { sanitiseLine } from '@roost/core/display/sanitise';
import { shouldExclude } from '@roost/core/feed/filter';
import { eventTitle } from '@roost/core/feed/title';
import { type FoundProjectId, foundProjectId } from '@roost/protocol/api/projects';
import { Link, useParams } from 'wouter';
import { useConnected } from '../data/use-connected.ts';
import { useRead } from '../data/use-read.ts';
import { Button } from '../parts/button.tsx';
import { Empty, Page } from '../parts/page.tsx';
import { NotRead } from '../parts/reading.tsx';
import styles from './projects.module.css';
import { ResumeButton } from './resume-button.tsx';
import { usePastEvents } from './use-past-events.ts';
import { useProjects } from './use-projects.ts';

export function PastSession() {
	const { id, nativeId = '' } = useParams();
	const named = foundProjectId.safeParse(id);
	if (!named.success) {
		return (
			<Page title="Past session">
				<Empty>
					<p>This is not the address of a past session.</p>
					<Link href="/projects">All projects</Link>
				</Empty>
			</Page>
		);
	}
	return <Events key={nativeId} id={named.data} nativeId={nativeId} />;
}

function Events({ id, nativeId }: { id: FoundProjectId; nativeId: string }) {
	const { api } = useConnected();
	const past = usePastEvents(id, nativeId);
	const session = useRead(`past ${id}`, () => api.projects.sessions({ id })).value?.sessions.find(
		(one) => one.nativeId === nativeId,
	);
	const project = useProjects().value?.projects.find((one) => one.id === id);
	const { value } = past;
	return (
		<Page
			title={sanitiseLine(session?.title || 'Past session')}
			actions={
				<>
					<Link href={`/projects/${id}`}>{sanitiseLine(project?.name ?? 'Project')}</Link>
					{session?.resumable && project ? <ResumeButton session={session} projectId={project.projectId} /> : null}
				</>
			}
		>
			{value === undefined ? <NotRead {...past} /> : null}
			{value?.events.length === 0 ? <Empty>This transcript has no events.</Empty> : null}
			<ol className={styles.events} aria-label="Events">
				{value?.events
					.filter(({ event }) => !shouldExclude(event))
					.map(({ offset, event }) => (
						<li key={offset} data-kind={event.kind} data-row={offset} tabIndex={-1}>
							<time dateTime={new Date(event.ts).toISOString()} title={new Date(event.ts).toLocaleString()}>
								{new Date(event.ts).toLocaleTimeString()}
							</time>
							<span>{sanitiseLine(eventTitle(event))}</span>
						</li>
					))}
			</ol>
			{value?.more ? <Button onClick={past.more}>Show more</Button> : null}
		</Page>
	);
}
