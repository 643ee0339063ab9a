module Shop
  # total
  def total(items)
    items.sum
  end
end
