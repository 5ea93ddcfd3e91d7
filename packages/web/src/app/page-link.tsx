// A link to a page in the navigation; the inbox has the number of pending requests.
import { Link, useLocation } from 'wouter';
import { useWorld } from '../data/use-world.ts';
import styles from './app.module.css';

export function PageLink({ path, name }: { path: string; name?: string }) {
	const [here] = useLocation();
	const { asks } = useWorld();
	return (
		<Link href={path} aria-current={here === path ? 'page' : undefined}>
			{name}
			{path === '/' && asks.length > 0 ? <span className={styles.count}>{asks.length}</span> : null}
		</Link>
	);
}
