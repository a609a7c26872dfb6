# data/prices_REGION.csv -> struct initializers of taskfit_price, in the order of the file. No quoted fields.
BEGIN { FS = "," }
/^#/ { next }
!seen_header { seen_header = 1; next }
{ printf "{\"%s\", %.0f, \"%s\", \"%s\"},\n", $1, $2 * 1000000, $3, $4 }
