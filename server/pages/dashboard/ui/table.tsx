/**
 * The table of every list of records. Used by the tables of all pages. Its columns must stay the same objects between
 * renderings.
 */
import { type ColumnDef, createColumnHelper, type RowData, tableFeatures, useTable } from '@tanstack/react-table';
import { useWindowVirtualizer } from '@tanstack/react-virtual';
import { type ReactNode, useLayoutEffect, useMemo, useRef, useState } from 'react';

const features = tableFeatures({});

/** Number of rows from which only those near the window are in the document. */
const VIRTUAL_FROM = 60;
const ESTIMATED_ROW_HEIGHT = 57;

export type Column<Row extends RowData> = ColumnDef<typeof features, Row, unknown>;

/** Returns a helper for typed columns: `columnsOf<User>().display({ id: 'name', header: 'Name', cell: … })`. */
export function columnsOf<Row extends RowData>() {
  return createColumnHelper<typeof features, Row>();
}

interface DataTableProps<Row extends RowData> {
  readonly caption: string;
  readonly rows: readonly Row[];
  /** The first column names the row. Keep the array stable with `useMemo`. */
  readonly columns: Column<Row>[];
  readonly rowId: (row: Row) => string;
  readonly selected?: string;
}

/**
 * A table that becomes a list of cards on a narrow screen, with the name of the column before each cell. Long lists
 * keep only the rows near the window in the document.
 */
export function DataTable<Row extends RowData>({ caption, rows, columns, rowId, selected }: DataTableProps<Row>) {
  const table = useTable({
    features,
    columns,
    data: rows,
    getRowId: rowId,
  });
  const body = useRef<HTMLTableSectionElement>(null);
  const [offset, setOffset] = useState(0);
  const all = table.getRowModel().rows;
  const isVirtual = all.length >= VIRTUAL_FROM;
  const virtualizer = useWindowVirtualizer({
    count: all.length,
    estimateSize: () => ESTIMATED_ROW_HEIGHT,
    overscan: 12,
    enabled: isVirtual,
    scrollMargin: offset,
  });
  // The top of the rows moves when filters or notices above the table grow.
  useLayoutEffect(() => {
    if (body.current !== null) setOffset(body.current.getBoundingClientRect().top + window.scrollY);
  }, [isVirtual, all.length]);

  // Rendered rows are cached while scrolling, so that only new ones are rendered. The data of a row changes only with a
  // new row object.
  const drawn = useMemo(() => new WeakMap<object, ReactNode>(), [columns, selected, isVirtual]);
  const near = virtualizer.getVirtualItems();
  const shown = isVirtual
    ? near.flatMap(({ index }) => {
        const row = all[index];
        return row === undefined ? [] : [{ row, index }];
      })
    : all.map((row, index) => ({ row, index }));
  const above = isVirtual ? (near[0]?.start ?? offset) - offset : 0;
  const below = isVirtual ? virtualizer.getTotalSize() - ((near.at(-1)?.end ?? offset) - offset) : 0;

  return (
    <table className={isVirtual ? 'table virtual' : 'table'} aria-rowcount={all.length + 1}>
      <caption className="visually-hidden">{caption}</caption>
      <thead>
        {table.getHeaderGroups().map((group) => (
          <tr key={group.id} aria-rowindex={1}>
            {group.headers.map((header) => (
              <th key={header.id} scope="col">
                <table.FlexRender header={header} />
              </th>
            ))}
          </tr>
        ))}
      </thead>
      <tbody ref={body}>
        {above > 0 && (
          <tr aria-hidden="true" className="spacer">
            <td colSpan={columns.length} style={{ height: above }} />
          </tr>
        )}
        {shown.map(({ row, index }) => {
          const known = drawn.get(row);
          if (known !== undefined) return known;
          const element = (
            <tr
              key={row.id}
              ref={isVirtual ? virtualizer.measureElement : undefined}
              data-index={index}
              aria-rowindex={index + 2}
              className={row.id === selected ? 'selected' : undefined}
            >
              {row.getAllCells().map((cell, column) => {
                const { header } = cell.column.columnDef;
                const content = <table.FlexRender cell={cell} />;
                return column === 0 ? (
                  <th key={cell.id} scope="row">
                    {content}
                  </th>
                ) : (
                  <td key={cell.id} data-label={typeof header === 'string' ? header : undefined}>
                    {content}
                  </td>
                );
              })}
            </tr>
          );
          drawn.set(row, element);
          return element;
        })}
        {below > 0 && (
          <tr aria-hidden="true" className="spacer">
            <td colSpan={columns.length} style={{ height: below }} />
          </tr>
        )}
      </tbody>
    </table>
  );
}
