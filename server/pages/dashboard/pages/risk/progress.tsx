/** A bar that shows how much of some work in the background is done. */
export function Progress({
  label,
  done,
  total,
}: {
  readonly label: string;
  readonly done: number;
  readonly total: number;
}) {
  return <progress className="risk-progress" aria-label={label} value={done} max={Math.max(total, 1)} />;
}
