# tables as they are pasted: wiki without a leading bar in the header, CSV with a cell of lines, tabs, a saved page
taskfit import table "$DATA/import/pcp1-table.txt" --strict
taskfit import auto "$DATA/import/relc-table.csv"
taskfit import auto "$DATA/import/table-tabs.txt"
taskfit import auto "$DATA/import/table-confluence.html"
