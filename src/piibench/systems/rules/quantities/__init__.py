"""QUANTITY: sums, percentages and scores, told apart by the words around them."""
