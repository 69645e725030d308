demo() { node -p "JSON.parse(fs.readFileSync('demo.json'))['$1']"; }
field() { node -p "JSON.parse(fs.readFileSync(0))['$1']"; }

token=$(curl -s "$(demo baseUrl)/oauth/token" -u "$(demo clientId):$(demo clientSecret)" \
  -d grant_type=client_credentials | field access_token)

application=$(curl -s "$(demo baseUrl)/v1/applications" -H "Authorization: Bearer $token" \
  -H 'Content-Type: application/json' \
  -d '{"purpose": "account_opening", "applicant": {"fullName": "Maria da Silva"}}' | field id)

curl -s "$(demo baseUrl)/v1/applications/$application/documents" -H "Authorization: Bearer $token" \
  -F type=proof_of_address -F file=@proof-of-address.pdf | field status

cursor=
while page=$(curl -s "$(demo baseUrl)/api/v1/funds-recovery/events?limit=5&cursor=$cursor" -H "Authorization: Bearer $token"); do
  echo "$page" | node -p "JSON.parse(fs.readFileSync(0)).events.map((e) => e.timestamp + ' ' + e.eventType).join('\n')"
  cursor=$(echo "$page" | field cursor)
  [ "$(echo "$page" | field hasMore)" = true ] || break
done
